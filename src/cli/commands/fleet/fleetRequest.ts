import { FLEET_DEFAULTS, type FleetSettings } from '../../../fleet/coordinator/fleetSettings.ts';
import { agentNamed } from '../../../hosts/all.ts';
import { DEFAULT_QUEUE } from '../../../store/taskDefaults.ts';
import { thisHost } from '../../../system/thisHost.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs, wholeNumber } from '../task/readFlags.ts';
import { type Flags, splitList } from '../task/taskOptions.ts';
import { type AgentOptions, accountOf, idleLimit, MOST_SLOTS, reviewLimitOf } from '../worker/workerRequest.ts';
import { fleetName } from './fleetName.ts';

export interface FleetUpOptions extends AgentOptions, Flags<'name' | 'drainTimeout' | 'slots', 'ignoreLoad' | 'json'> {
  readonly workers: string;
  readonly min: string;
}

export interface FleetRequest {
  readonly settings: FleetSettings;
  /** For each worker, after `worker run`. */
  readonly workerArgs: readonly string[];
  /** The most workers of one process. */
  readonly slots: number;
  readonly warnings: readonly string[];
  /** Of its queue; undefined: as it is. */
  readonly reviewLimit: number | null | undefined;
}

/** Their process needs a megabyte for each, and is lost with all of them. */
const DEFAULT_SLOTS = 50;

/** A typing error must not start a thousand agents. */
const MOST_WORKERS = 500;

export function fleetRequest(words: readonly string[], options: FleetUpOptions): FleetRequest {
  const { agent, type: kind } = options;
  if (agent.trim() === '')
    throw new UserError('--agent is empty; name an agent (see stopgate worker run --help) or a command.');
  const most = wholeNumber('-n', options.workers, { least: 1, most: MOST_WORKERS });
  const least = wholeNumber('--min', options.min, { least: 0, most: MOST_WORKERS });
  if (least > most) throw new UserError(`--min ${least} is more than -n ${most}, the most workers to run.`);
  const { idleLimitMs, warnings } = idleLimit(options);
  const accountKey = accountOf(options);
  const settings: FleetSettings = {
    name: fleetName(options),
    host: thisHost(),
    queue: options.queue ?? DEFAULT_QUEUE,
    types: typesOf(options),
    kind,
    accountKey,
    idleLimitMs,
    most,
    least,
    drainTimeoutMs: drainTimeout(options),
    reportsActivity: agentNamed(agent).runsHooks,
  };
  return {
    settings,
    workerArgs: workerArgs(words, options, accountKey),
    slots: wholeNumber('--slots', options.slots, { least: 1, most: MOST_SLOTS }) ?? DEFAULT_SLOTS,
    warnings,
    reviewLimit: reviewLimitOf(options),
  };
}

export const drainTimeout = ({ drainTimeout: text }: Flags<'drainTimeout'>): number =>
  durationMs('--drain-timeout', text) ?? FLEET_DEFAULTS.drainTimeoutMs;

function workerArgs(words: readonly string[], options: FleetUpOptions, accountKey: string): readonly string[] {
  const { agent, type, idleTimeout, queue, types, worktrees, drainTimeout: drain } = options;
  const given = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);
  return [
    ...['--agent', agent, '--type', type, '--account', accountKey],
    ...given('--idle-timeout', idleTimeout),
    ...given('--queue', queue),
    ...given('--types', types),
    ...given('--drain-timeout', drain),
    ...given('--push-every', options.pushEvery),
    ...(worktrees ? ['--worktrees'] : []),
    ...(options.removeWorktrees ? ['--remove-worktrees'] : []),
    ...(options.verify === false ? ['--no-verify'] : []),
    ...(words.length > 0 ? ['--', ...words] : []),
  ];
}

function typesOf({ types }: AgentOptions): readonly string[] | null {
  if (types === undefined) return null;
  const list = splitList(types);
  if (list.length > 0) return list;
  throw new UserError('--types is empty; name task types, separated by commas.');
}
