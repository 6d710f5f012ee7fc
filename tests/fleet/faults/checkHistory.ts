import { acceptedOnce, acknowledgedIsThere, sameAnswers } from './answerInvariants.ts';
import { eventsBuildTables, noneStuck, oneResult, workIsBounded } from './endInvariants.ts';
import { followDependencies, followSlots, followTasks, followWorkers } from './feedInvariants.ts';
import type { History, Violation } from './history.ts';
import {
  keptIsSettled,
  nothingDoneAgain,
  oneAgentPerTask,
  pushedIsThere,
  takenWithCause,
  writtenSoon,
} from './workInvariants.ts';

interface Invariant {
  readonly says: string;
  readonly find: readonly ((history: History) => readonly Violation[])[];
}

/**
 * FLEET's invariants as far as they can be seen from outside, and four of work. Not seen here: I12 (no account is limited), I14 (no
 * agent with hooks), I17 (git) and I18 (one store), which have tests of their own.
 */
export const INVARIANTS: Readonly<Record<string, Invariant>> = {
  I1: { says: 'one claim per task', find: [followTasks] },
  I2: { says: 'never two agents on one task', find: [oneAgentPerTask] },
  I3: { says: 'no acknowledged completion is lost', find: [acknowledgedIsThere] },
  I4: { says: 'one accepted result per task', find: [followTasks, acceptedOnce, oneResult] },
  I5: { says: 'epochs and incarnations count up', find: [followTasks, followSlots] },
  I6: { says: 'the events build the tables', find: [eventsBuildTables] },
  I7: { says: 'no task is stuck', find: [noneStuck] },
  I8: { says: 'work is bounded', find: [workIsBounded] },
  I9: { says: 'a superseded worker changes nothing', find: [followTasks] },
  I10: { says: 'a repeated request gets the same answer', find: [sameAnswers] },
  I11: { says: 'dependants begin after what they depend on', find: [followDependencies] },
  I13: { says: 'no worker is stopped while it has a task', find: [followWorkers] },
  I15: { says: 'a task is taken only with a cause, whatever a clock says', find: [takenWithCause] },
  I16: { says: 'two coordinators start a slot once', find: [followSlots] },
  W1: { says: 'no finished work is done again', find: [nothingDoneAgain] },
  W2: { says: 'no pushed work is lost', find: [pushedIsThere] },
  W3: { says: 'what a machine kept is delivered', find: [keptIsSettled] },
  W4: { says: 'finished work is soon on disk', find: [writtenSoon] },
};

/** All violations that a history shows; none for one that is sound. */
export function checkHistory(history: History): readonly Violation[] {
  const sorted = { ...history, entries: history.entries.toSorted((one, other) => one.at - other.at) };
  const finders = new Set(Object.values(INVARIANTS).flatMap(({ find }) => find));
  return [...finders].flatMap((find) => find(sorted));
}

/** `I3 no acknowledged completion is lost: task …`. */
export const describeViolation = ({ invariant, detail }: Violation): string =>
  `${invariant} ${INVARIANTS[invariant]?.says ?? ''}: ${detail}`;
