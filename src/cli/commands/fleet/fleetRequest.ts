import { hostname } from 'node:os';
import { FLEET_DEFAULTS, type FleetSettings } from '../../../fleet/coordinator/fleetSettings.ts';
import { decideIdleLimit } from '../../../fleet/decisions/workerKinds.ts';
import { agentNamed } from '../../../hosts/all.ts';
import { DEFAULT_QUEUE } from '../../../store/taskDefaults.ts';
import { UserError } from '../../../system/userError.ts';
import { durationMs } from '../task/readFlags.ts';
import { removesWorktrees } from '../worker/workerRequest.ts';

/** What the command line gave, as text. */
export interface FleetUpOptions {
  readonly workers: string;
  readonly min: string;
  readonly agent: string;
  readonly type: string;
  readonly idleTimeout?: string;
  readonly queue?: string;
  readonly types?: string;
  readonly store?: string;
  readonly account?: string;
  readonly name?: string;
  readonly worktrees?: boolean;
  readonly removeWorktrees?: boolean;
  readonly drainTimeout?: string;
  readonly ignoreLoad?: boolean;
  readonly json?: boolean;
}

export interface FleetRequest {
  readonly settings: FleetSettings;
  readonly agent: string;
  /** What stands behind `--`. */
  readonly words: readonly string[];
  readonly worktrees: boolean;
  /** For each worker, behind `worker run --slot … --incarnation …`. */
  readonly workerArgs: readonly string[];
  readonly store: string | undefined;
  readonly ignoresLoad: boolean;
  readonly json: boolean;
  readonly warnings: readonly string[];
}

/** More than any host runs; a typing mistake must not start a thousand agents. */
const MOST_WORKERS = 500;
export function fleetRequest(words: readonly string[], options: FleetUpOptions): FleetRequest {
  const { agent, type: kind, idleTimeout } = options;
  if (agent.trim() === '') throw new UserError('--agent is empty; name claude, stopgate, or a command.');
  const most = whole('-n', options.workers, 1);
  const least = whole('--min', options.min, 0);
  if (least > most) throw new UserError(`--min ${least} is more than -n ${most}; no more than -n workers run at once.`);
  const idleTimeoutMs = idleTimeout === undefined ? undefined : neverOr('--idle-timeout', idleTimeout);
  const limit = decideIdleLimit({ kind, idleTimeoutMs });
  if (limit.type === 'unknownKind') {
    throw new UserError(`--type ${kind} is not a kind of worker; there are ${limit.known.join(', ')}.`);
  }
  const accountKey = options.account ?? agent.trim().split(/\s/, 1)[0] ?? agent;
  const settings: FleetSettings = {
    name: fleetName(options),
    host: hostname(),
    queue: options.queue ?? DEFAULT_QUEUE,
    types: options.types === undefined ? null : list(options.types),
    kind,
    accountKey,
    idleLimitMs: limit.idleLimitMs,
    most,
    least,
    drainTimeoutMs: drainTimeout(options.drainTimeout),
    reportsActivity: agentNamed(agent).runsHooks,
  };
  return {
    settings,
    agent,
    words,
    worktrees: options.worktrees === true,
    workerArgs: workerArgs(words, options, accountKey),
    store: options.store,
    ignoresLoad: options.ignoreLoad === true,
    json: options.json === true,
    warnings: limit.warning === null ? [] : [limit.warning],
  };
}

export function drainTimeout(text: string | undefined): number {
  return text === undefined ? FLEET_DEFAULTS.drainTimeoutMs : durationMs('--drain-timeout', text);
}

/** One fleet for each host and queue unless it is named: two of the same name are one. */
export function fleetName({ name, queue }: Pick<FleetUpOptions, 'name' | 'queue'>): string {
  if (name !== undefined) {
    if (/^[A-Za-z0-9][\w.-]{0,59}$/.test(name)) return name;
    throw new UserError(`--name ${name} cannot be the name of a fleet; use letters, digits and . _ -`);
  }
  const host =
    hostname()
      .split('.')[0]
      ?.replaceAll(/[^\w-]/g, '-') || 'fleet';
  return queue === undefined || queue === DEFAULT_QUEUE ? host : `${host}-${queue.replaceAll(/[^\w.-]/g, '-')}`;
}

function workerArgs(words: readonly string[], options: FleetUpOptions, accountKey: string): readonly string[] {
  const { agent, type, idleTimeout, queue, types, worktrees, drainTimeout: drain } = options;
  const given = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);
  return [
    ...['--agent', agent, '--type', type, '--account', accountKey],
    ...given('--idle-timeout', idleTimeout),
    ...given('--queue', queue),
    ...given('--types', types),
    ...given('--drain-timeout', drain),
    ...(worktrees ? ['--worktrees'] : []),
    ...(removesWorktrees(options) ? ['--remove-worktrees'] : []),
    ...(words.length > 0 ? ['--', ...words] : []),
  ];
}

function list(text: string): readonly string[] {
  const types = text.split(',').flatMap((type) => type.trim() || []);
  if (types.length === 0) throw new UserError('--types is empty; name task types with commas between.');
  return types;
}

function neverOr(flag: string, text: string): number | null {
  return text === 'never' ? null : durationMs(flag, text);
}

function whole(flag: string, text: string, smallest: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= smallest && value <= MOST_WORKERS) return value;
  throw new UserError(
    `${flag} ${text} is not a number of workers; it is a whole one from ${smallest} to ${MOST_WORKERS}.`,
  );
}
