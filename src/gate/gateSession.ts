import { statSync } from 'node:fs';
import path from 'node:path';
import { BUDGET_END, BUDGET_END_ALIAS } from '../budget/budgetEnd.ts';
import { lastStretchSeconds } from '../budget/launchPlan.ts';
import { parseDuration } from '../budget/timeBudget.ts';
import type { GivenDefinition } from '../stop/checks/types.ts';
import { BOOTED_AT, BUDGET_TOTAL, bootedAt, GRACE_END, LAST_STRETCH } from '../stop/clock.ts';
import { WORKER, WORKER_INCARNATION, WORKER_ONE_TASK } from '../stop/worker/workerIdentity.ts';
import type { GateWorld } from '../stop/world.ts';
import type { Clock } from '../system/clock.ts';
import { systemIds } from '../system/ids.ts';
import { without } from '../system/secretPolicy.ts';
import { stopgateHome } from '../system/stopgateHome.ts';
import type { GateOptions } from './types.ts';
import { requireOptions, shown } from './wrongInput.ts';

/** A gate's options as the gates of every host know them. */
export interface GateSession {
  readonly sessionId: string;
  readonly cwd: string;
  readonly world: GateWorld;
}

/** Throws one sentence for an option that is wrong. */
export function gateSession(options: GateOptions, clock: Clock): GateSession {
  requireOptions(options);
  const cwd = path.resolve(options.cwd);
  const sessionId = options.sessionId ?? systemIds.uuid();
  const definition = definitionOf(options, cwd);
  const { maxAttempts, stallAfter, demand = 'order', onCheck } = options;
  const limits = {
    ...(maxAttempts !== undefined && { maxBlocks: maxAttempts }),
    ...(stallAfter !== undefined && { stallAfter }),
  };
  const env = environmentOf(options, cwd, clock);
  const world: GateWorld = {
    env,
    stopgateHome: stopgateHome(env),
    clock,
    asker: { name: options.agent ?? 'gate', demand: async () => demand },
    hostPid: process.pid,
    // what the program itself gives is not the folder's word
    trusted: options.trusted === true || typeof definition?.text === 'string',
    limits,
    ...(definition && { definition }),
    ...(onCheck && { onCheck }),
  };
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new TypeError(`createGate: cwd must be an existing folder, got "${cwd}".`);
  return { sessionId, cwd, world };
}

/** Stands for a file in messages and records; there is none. */
const GIVEN = 'createGate()';

function definitionOf({ config, checks }: GateOptions, cwd: string): GivenDefinition | undefined {
  if (typeof config === 'string') {
    if (checks !== undefined) throw new TypeError('createGate: give either checks or the path of a config, not both.');
    return { file: path.resolve(cwd, config), text: null };
  }
  if (config === undefined && checks === undefined) return undefined;
  return { file: path.join(cwd, GIVEN), text: jsonOf({ ...config, ...(checks && { checks }) }) };
}

function jsonOf(config: object): string {
  try {
    return JSON.stringify(config, null, 1);
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new TypeError(`createGate: config and checks must be JSON values (${why}).`);
  }
}

/**
 * The deadline as a launcher would set it: the same clock for checks and countdown. A worker's identity is left out: the
 * program may be one that a worker's agent started, and must not take its tasks.
 */
function environmentOf(options: GateOptions, cwd: string, clock: Clock): Record<string, string> {
  const given = without(WORKERS, options.env ?? process.env);
  const home = options.stopgateHome === undefined ? {} : { STOPGATE_HOME: path.resolve(options.stopgateHome) };
  const env: Record<string, string> = { ...given, ...home, CLAUDE_PROJECT_DIR: cwd };
  const budget = budgetOf(options, clock);
  if (budget === null) return env;
  const { [BUDGET_END_ALIAS]: _alias, [GRACE_END]: _grace, ...others } = env;
  const total = Math.max(0, Math.floor(budget.totalSeconds));
  return {
    ...others,
    [BUDGET_END]: String(Math.floor(budget.endAt / 1000)),
    [BUDGET_TOTAL]: String(total),
    [LAST_STRETCH]: String(lastStretchSeconds(total)),
    [BOOTED_AT]: bootedAt(clock),
  };
}

const WORKERS: ReadonlySet<string> = new Set([WORKER, WORKER_INCARNATION, WORKER_ONE_TASK]);

function budgetOf({ timeBudget, deadline }: GateOptions, clock: Clock) {
  if (timeBudget !== undefined && deadline !== undefined) {
    throw new TypeError('createGate: give either timeBudget or deadline, not both.');
  }
  const now = clock.now();
  if (timeBudget !== undefined) {
    const totalSeconds = typeof timeBudget === 'number' ? timeBudget : parseDuration(timeBudget);
    if (totalSeconds === null || !(totalSeconds > 0)) {
      throw new TypeError(
        `createGate: timeBudget must be a duration such as "20m", or seconds, got ${shown(timeBudget)}.`,
      );
    }
    return { endAt: now + totalSeconds * 1000, totalSeconds };
  }
  if (deadline === undefined) return null;
  const endAt = Number(deadline);
  return { endAt, totalSeconds: (endAt - now) / 1000 };
}
