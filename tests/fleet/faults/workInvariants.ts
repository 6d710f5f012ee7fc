import { type EntryOf, entriesOf, grouped, type History, type Violation } from './history.ts';
import { isTroubled, reachableMs } from './reachable.ts';

const AGENT = ['agentStarted', 'agentSeen', 'agentStopped', 'agentFinished'] as const;
/** The clock of the agents counts in hundredths of a second. */
const TICK_MS = 20;

interface Run {
  readonly taskId: string;
  readonly epoch: number;
  readonly attemptId: string;
  readonly machine: string;
  readonly from: number;
  /** When it was last seen; one that was killed may have lived a little longer. */
  readonly to: number;
}

/** The runs of the agents of each task, in the order of their claims. */
function runsOf(history: History): Run[][] {
  const byAttempt = grouped(entriesOf(history, ...AGENT), ({ attemptId }) => attemptId);
  const runs = [...byAttempt.values()].flatMap((seen): Run[] => {
    const [first] = seen;
    const times = seen.map(({ at }) => at);
    return first === undefined ? [] : [{ ...first, from: Math.min(...times), to: Math.max(...times) }];
  });
  const byTask = grouped(runs, ({ taskId }) => taskId);
  return [...byTask.values()].map((ofTask) => ofTask.toSorted((one, other) => one.epoch - other.epoch));
}

/** I2: never two agents on one task. */
export function oneAgentPerTask(history: History): Violation[] {
  return runsOf(history).flatMap((runs) =>
    runs.flatMap((run, index) =>
      runs
        .slice(index + 1)
        .filter((later) => later.from < run.to - TICK_MS)
        .map((later) => ({
          invariant: 'I2',
          detail: `task ${run.taskId}: the agent of epoch ${run.epoch} (${run.machine}) was seen ${Math.round(run.to - later.from)} ms after that of epoch ${later.epoch} (${later.machine}) had begun`,
        })),
    ),
  );
}

export interface Repeated {
  readonly finished: EntryOf<'agentFinished'>;
  /** Why it could not be helped; null: it could. */
  readonly excuse: 'machineKilled' | 'cutOff' | 'workerKilled' | null;
}

/** Work that an agent finished and another one began again. */
export function repeatedWork(history: History): Repeated[] {
  const begun = grouped(entriesOf(history, 'agentStarted'), ({ taskId }) => taskId);
  const claims = grouped(
    history.events.filter(({ kind }) => kind === 'task.claimed' || kind === 'task.offered'),
    ({ taskId }) => taskId ?? '',
  );
  return entriesOf(history, 'agentFinished').flatMap((finished) => {
    const again = begun.get(finished.taskId)?.find(({ epoch }) => epoch > finished.epoch);
    if (again === undefined) return [];
    const claim = claims.get(finished.taskId)?.find(({ epoch }) => (epoch ?? 0) > finished.epoch);
    return [{ finished, excuse: excuseOf(history, finished, claim?.at ?? again.at) }];
  });
}

/** Finished work may be done again only if its machine had no chance to report it before the task was claimed again. */
function excuseOf(history: History, { machine, at, attemptId }: EntryOf<'agentFinished'>, takenAt: number) {
  const span = { from: at, to: takenAt };
  const isKept = entriesOf(history, 'kept').some((kept) => kept.attemptId === attemptId);
  const within = (entry: { readonly at: number; readonly machine: string }) =>
    entry.machine === machine && entry.at >= at - TICK_MS && entry.at <= takenAt;
  const worker = history.attempts.find(({ id }) => id === attemptId)?.workerId ?? '';
  const killed = entriesOf(history, 'workersKilled').some((entry) => within(entry) && entry.workers.includes(worker));
  // what is on the disk is delivered by the next worker of the machine
  if (killed && !isKept) return 'workerKilled';
  if (reachableMs(history, machine, span) >= history.deliverMs) return null;
  if (entriesOf(history, 'machineKilled').some(within)) return 'machineKilled';
  return isTroubled(history, machine, { from: at - history.leaseMs, to: takenAt }) ? 'cutOff' : null;
}

/** W1 */
export function nothingDoneAgain(history: History): Violation[] {
  return repeatedWork(history)
    .filter(({ excuse }) => excuse === null)
    .map(({ finished: { taskId, epoch, machine } }) => ({
      invariant: 'W1',
      detail: `task ${taskId}: finished in epoch ${epoch} on ${machine}, which could reach the store, and begun again`,
    }));
}

/** W2: what the remote took is there in the end. */
export function pushedIsThere(history: History): Violation[] {
  return entriesOf(history, 'pushed')
    .filter(({ branch, commit }) => history.refs.get(branch) !== commit)
    .map(({ taskId, branch, commit }) => ({
      invariant: 'W2',
      detail: `task ${taskId}: ${commit} was pushed to ${branch}, which is at ${history.refs.get(branch) ?? 'nothing'}`,
    }));
}

/** W3: what was kept on the disk of a machine was delivered, or refused and put aside. */
export function keptIsSettled(history: History): Violation[] {
  const settled = new Set(entriesOf(history, 'answered', 'putAside').map(({ attemptId }) => attemptId));
  const events = new Set(history.events.flatMap(({ kind, attemptId }) => (SETTLED.has(kind) ? attemptId : null) ?? []));
  const gone = new Set(entriesOf(history, 'machineKilled').map(({ machine }) => machine));
  return entriesOf(history, 'kept')
    .filter(({ attemptId, machine }) => !settled.has(attemptId) && !events.has(attemptId) && !gone.has(machine))
    .map(({ taskId, attemptId, machine }) => ({
      invariant: 'W3',
      detail: `task ${taskId}, attempt ${attemptId}: kept on ${machine}, and never delivered`,
    }));
}

const SETTLED: ReadonlySet<string> = new Set(['task.completed', 'task.failed', 'task.released', 'task.late']);

/** I15: a task is taken only from a worker that was cut off or killed, whatever a clock says. */
export function takenWithCause(history: History): Violation[] {
  const { events, machines, leaseMs } = history;
  return events
    .filter(({ kind }) => kind === 'task.lost')
    .flatMap(({ taskId, workerId, at }) => {
      const machine = machines.get(workerId ?? '') ?? '';
      if (isTroubled(history, machine, { from: at - 2 * leaseMs, to: at })) return [];
      return [
        { invariant: 'I15', detail: `task ${taskId}: taken from ${workerId} on ${machine}, which had no trouble` },
      ];
    });
}
