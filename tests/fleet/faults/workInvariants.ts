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

/** From the end of an agent until its worker has on disk that it finished; a worker that is killed within it could not help it. */
const WRITE_MS = 1_000;
/** The same on a machine that has too much to do. */
const LONGEST_WRITE_MS = 5_000;

export interface Repeated {
  readonly finished: EntryOf<'agentFinished'>;
  /** When the task was claimed again. */
  readonly takenAt: number;
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
    const takenAt = claim?.at ?? again.at;
    return [{ finished, takenAt, excuse: excuseOf(history, finished, takenAt) }];
  });
}

/** Finished work may be done again only if its machine had no chance to report it before the task was claimed again. */
function excuseOf(history: History, { machine, at, attemptId }: EntryOf<'agentFinished'>, takenAt: number) {
  const span = { from: at, to: takenAt };
  const isKept = entriesOf(history, 'kept', 'noted').some((kept) => kept.attemptId === attemptId);
  const within = (entry: { readonly at: number; readonly machine: string }) =>
    entry.machine === machine && entry.at >= at - TICK_MS && entry.at <= takenAt;
  const worker = history.attempts.find(({ id }) => id === attemptId)?.workerId ?? '';
  // an agent outlives its worker by a little: it may finish when that is already gone
  const begunAt = entriesOf(history, 'agentStarted').find((entry) => entry.attemptId === attemptId)?.at ?? at - TICK_MS;
  const kills = entriesOf(history, 'workersKilled').filter(
    (kill) => kill.machine === machine && kill.at >= begunAt && kill.at <= Math.min(at + WRITE_MS, takenAt),
  );
  // what is on the disk is delivered by the next worker of the machine
  if (!isKept && kills.some(({ workers }) => workers.includes(worker))) return 'workerKilled';
  if (reachableMs(history, machine, span) >= history.deliverMs) return null;
  if (entriesOf(history, 'machineKilled').some(within))
    return isKept && isBackFor(history, machine, takenAt) ? null : 'machineKilled';
  return isTroubled(history, machine, { from: at - history.leaseMs, to: takenAt }) ? 'cutOff' : null;
}

/** Its disk was in a running machine for long enough to deliver what is on it. */
function isBackFor(history: History, machine: string, takenAt: number): boolean {
  const starts = entriesOf(history, 'machineStarted');
  const first = starts.findIndex((start) => start.machine === machine);
  const next = starts.slice(first + 1).find(({ disk }) => disk === starts[first]?.disk);
  return next !== undefined && reachableMs(history, next.machine, { from: next.at, to: takenAt }) >= history.deliverMs;
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

/** W4: what an agent finished is on the disk of its machine soon after. Seen of workers that write down when it is. */
export function writtenSoon(history: History): Violation[] {
  const workerOf = new Map(history.attempts.map(({ id, workerId }) => [id, workerId ?? '']));
  const noted = new Map(entriesOf(history, 'noted').map(({ attemptId, at }) => [attemptId, at]));
  const noting = new Set([...noted.keys()].map((attemptId) => workerOf.get(attemptId)));
  const ended = new Set(entriesOf(history, 'agentEnded').map(({ attemptId }) => attemptId));
  const begun = new Map(entriesOf(history, 'agentStarted').map(({ attemptId, at }) => [attemptId, at]));
  const kills = entriesOf(history, 'workersKilled', 'machineKilled');
  return entriesOf(history, 'agentFinished').flatMap(({ taskId, attemptId, machine, at }) => {
    const soon = at + LONGEST_WRITE_MS;
    // an agent outlives its worker by a little
    const from = begun.get(attemptId) ?? at - TICK_MS;
    const wasKilled = kills.some((kill) => kill.machine === machine && kill.at >= from && kill.at <= soon);
    const isExempt = wasKilled || ended.has(attemptId) || !noting.has(workerOf.get(attemptId));
    if (isExempt || (noted.get(attemptId) ?? Number.POSITIVE_INFINITY) <= soon) return [];
    return [{ invariant: 'W4', detail: `task ${taskId}, attempt ${attemptId}: not on the disk of ${machine} in time` }];
  });
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
