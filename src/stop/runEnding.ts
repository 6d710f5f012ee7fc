import { describeLeftovers, type Leftover } from '../system/leftovers.ts';
import { type GateEnding, gaveUp, isProof, NOT_PROVEN_EXIT } from './ending.ts';

/** The outcome of a run whose agent ended by itself. */
export type RunEnding = 'completed' | 'left_running' | 'no_work';

/** Beside `NOT_PROVEN_EXIT`, below the codes of `timeout`. The same for `-p` and `launch`. */
const NO_WORK_EXIT = 121;
const LEFT_RUNNING_EXIT = 122;

const EXITS: Readonly<Record<RunEnding, number>> = {
  completed: 0,
  left_running: LEFT_RUNNING_EXIT,
  no_work: NO_WORK_EXIT,
};

/** What was observed of a run. */
export interface RunFacts {
  /** Whether it printed an answer; null when that cannot be seen. */
  readonly answered: boolean | null;
  /** Whether a tool was called; null when no hook reports it. */
  readonly calledTools: boolean | null;
  /** Whether files or commits changed; null when unknown. */
  readonly changedFiles: boolean | null;
  /** Whether anything that it started was still running at its end. */
  readonly leftRunning: boolean;
}

/** Nothing happened only where that is known: without an answer, and with no sign of work in tools or files. */
export function decideRunEnding({ answered, calledTools, changedFiles, leftRunning }: RunFacts): RunEnding {
  if (leftRunning) return 'left_running';
  const sawNothing = answered === false && calledTools !== true && changedFiles !== true;
  const isKnown = calledTools === false || changedFiles === false;
  return sawNothing && isKnown ? 'no_work' : 'completed';
}

/** Checks that did not pass count more, and a pass proves the work whatever still runs beside it. */
export function exitOfRun(ending: RunEnding, checks: GateEnding | null): number {
  if (checks !== null && ending !== 'no_work' && gaveUp(checks)) return NOT_PROVEN_EXIT;
  return ending === 'left_running' && checks !== null && isProof(checks) ? 0 : EXITS[ending];
}

export const isRunEndingExit = (code: number): boolean => code === NO_WORK_EXIT || code === LEFT_RUNNING_EXIT;

export const NO_WORK_WORDS = 'nothing happened: no tool call, no changed file, no answer';

/** For the ledger, where the last line of a session is its outcome. */
export function ledgerEnding(
  type: Exclude<RunEnding, 'completed'>,
  left: readonly Leftover[],
  checks?: GateEnding,
): GateEnding {
  const what = type === 'no_work' ? `no work (${NO_WORK_WORDS})` : leftWords(left);
  const proof = checks === undefined || checks.type === 'notArmed' ? '' : `; checks: ${checks.reason}`;
  return { type, reason: `${what}${proof}`, checks: checks?.checks ?? [], ...(left.length > 0 && { left }) };
}

const leftWords = (left: readonly Leftover[]) =>
  left.length === 0 ? 'left running, now ended' : `left running, now ended (${describeLeftovers(left)})`;
