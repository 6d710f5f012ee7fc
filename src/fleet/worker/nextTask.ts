import type { Unavailable } from '../../store/types.ts';
import { ownValue } from '../../system/ownValue.ts';
import { jitterOf, type RunEnding } from '../decisions/restartBudget.ts';
import { askWorkerStop } from './askWorkerStop.ts';
import { awaitAnswer, type StoreWait } from './awaitAnswer.ts';
import { heldAt, heldBy } from './heldBy.ts';
import type { FirstTask, WorkerEnd, WorkerRun } from './workerRun.ts';

/** As long as it waits for a task: a store that comes back too late is as good as none. */
export const waitOf = ({ clock, drain, facts, workerId }: WorkerRun): StoreWait => ({
  clock,
  signal: drain,
  patienceMs: facts.idleLimitMs ?? null,
  jitter: jitterOf(workerId),
});

const ENDINGS: Readonly<Record<string, RunEnding>> = { idle: 'idle', draining: 'drained' };

export type Left = Extract<WorkerEnd, { type: 'stopped' | 'unavailable' | 'moved' }>;
type NextTask = Left | ({ readonly type: 'task' } & FirstTask);

/** For finished work, even by a worker that would not wait as long for a task. */
const DELIVER_MS = 10 * 60_000;

const atLeast = (ms: number | null, least: number) => (ms === null ? null : Math.max(ms, least));

/** Null when the store answers and has all that this machine has settled. */
async function storeAway(run: WorkerRun, incarnation: number): Promise<Left | null> {
  const { store, workerId } = run;
  // delivered first: until then the store has this worker busy with a task that is settled
  const ask = async () => (await run.kept.deliver()) ?? store.heartbeat({ workerId, incarnation });
  const wait = waitOf(run);
  let answer: { readonly type: string } = await ask();
  if (answer.type === 'unavailable') {
    const patienceMs = (await run.kept.isEmpty()) ? wait.patienceMs : atLeast(wait.patienceMs, DELIVER_MS);
    answer = await awaitAnswer(ask, { ...wait, patienceMs });
  }
  if (answer.type === 'unavailable') return { type: 'unavailable', reason: (answer as Unavailable).reason };
  const to = run.movedTo?.() ?? null;
  return to === null ? null : { type: 'moved', reason: `its store has moved to ${to}; start workers there` };
}

/** The same decision as in the stop hook, in a process that can wait forever. */
export async function nextTask(run: WorkerRun, incarnation: number): Promise<NextTask> {
  const { store, workerId, clock, newClaimKey, drain, lease: times } = run;
  const away = await storeAway(run, incarnation);
  if (away !== null) return away;
  const limits = { heldBlocks: 0, hostBlocks: null };
  const lease = times && (async () => times);
  const waiting = { store, workerId, incarnation, clock, newClaimKey, limits, signal: drain, lease };
  const answer = await askWorkerStop({ ...waiting, usedTool: true, answerInMs: null });
  if (drain.aborted && answer.type === 'approve') return { type: 'stopped', ending: 'drained', reason: 'drained' };
  // an outage is not an end: it is waited for
  if (answer.type === 'approve' && answer.why === 'storeUnavailable' && (await isThere(run, incarnation))) {
    await clock.sleep(ASK_AGAIN_MS, drain);
    return nextTask(run, incarnation);
  }
  if (answer.type === 'approve')
    return { type: 'stopped', ending: ownValue(ENDINGS, answer.why) ?? 'clean', reason: answer.reason };
  await answer.delivered?.();
  const held = await heldBy(store, workerId, incarnation);
  // cancelled between the claim and the read
  if (held === null) return nextTask(run, incarnation);
  const { title = '', body = '' } = answer.task ?? {};
  return { type: 'task', incarnation, prompt: answer.reason, lease: held, title, body };
}

const ASK_AGAIN_MS = 500;

/** True unless the store answers that this worker has ended. */
async function isThere({ store, workerId }: WorkerRun, incarnation: number): Promise<boolean> {
  const { worker, now } = await heldAt(store, workerId, incarnation);
  return now === null || (worker !== null && worker.state !== 'stopped' && worker.state !== 'lost');
}
