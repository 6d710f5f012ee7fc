import type { Lease, Outcome } from '../../store/types.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { DEFAULT_LEASE, describeOtherLease } from '../decisions/leaseTimes.ts';
import { decideRestart, jitterOf, RESTART_POLICIES, type RunEnd, type RunEnding } from '../decisions/restartBudget.ts';
import { awaitAnswer } from './awaitAnswer.ts';
import { beatDuring, beatUntil } from './beatDuring.ts';
import { type BeatOrder, beatWhile } from './beatWhile.ts';
import { confirmLease } from './confirmLease.ts';
import { describeOutcome } from './describeOutcome.ts';
import { heldAt } from './heldBy.ts';
import { type Left, nextTask, waitOf } from './nextTask.ts';
import { describePause } from './pauseAccount.ts';
import type { AgentEnd, FirstTask, RunningAgent, WorkerEnd, WorkerRun } from './workerRun.ts';

export type * from './workerRun.ts';

/**
 * One supervised worker.
 *
 * registered → waits for a task in this process, which costs no tokens → starts an agent with it → the agent's stop hook hands
 * over further tasks and waits between them → the agent ends → an unsettled task is settled → waits again, after a delay if
 * the agent crashed. Ends when its idle window is over, when it is drained, when another worker has its slot, or when the agent
 * cannot be started.
 */
export async function runWorker(run: WorkerRun): Promise<WorkerEnd> {
  while (true) {
    const { end, incarnation } = await runIncarnation(run);
    if (incarnation === null || end.type === 'moved' || !(await wasGivenUp(run, incarnation))) return end;
    run.report('this worker was given up while its store could not be reached; it registers again');
  }
}

/** No other worker has its slot, and no coordinator starts it again: it was only silent. */
async function wasGivenUp({ store, workerId, incarnation: reserved, drain }: WorkerRun, incarnation: number) {
  if (reserved !== undefined || drain.aborted) return false;
  const { worker } = await heldAt(store, workerId, incarnation);
  return worker?.state === 'lost';
}

/** The incarnation is null when it was not registered. */
async function runIncarnation(run: WorkerRun): Promise<{ end: WorkerEnd; incarnation: number | null }> {
  const registered = await awaitAnswer(() => takeSlot(run), waitOf(run));
  if (registered.type !== 'registered') return { end: notRegistered(run, registered), incarnation: null };
  const { incarnation } = registered;
  const end = await workUntilStopped(run, incarnation);
  if (end.type === 'unavailable') return { end, incarnation };
  const { workerId, store } = run;
  const stopped = await store.stopWorker({ workerId, incarnation, exitReason: exitReasonOf(end) });
  // the store still has this worker as running
  const isUnknown = stopped.type === 'unavailable' && end.type === 'stopped';
  return { end: isUnknown ? { type: 'unavailable', reason: stopped.reason } : end, incarnation };
}

function notRegistered(
  run: WorkerRun,
  registered: Exclude<Outcome<'registerWorker'>, { type: 'registered' }>,
): WorkerEnd {
  if (registered.type === 'unavailable') return { type: 'unavailable', reason: registered.reason };
  if (registered.type === 'occupied') {
    return {
      type: 'occupied',
      reason: `another worker in the slot ${run.workerId} still holds task ${registered.lease.taskId}; end it, or choose another name with --slot`,
    };
  }
  if (registered.type === 'otherLease') {
    const { leaseMs } = run.lease ?? DEFAULT_LEASE;
    return { type: 'otherLease', reason: describeOtherLease(leaseMs, registered.leaseMs) };
  }
  return {
    type: 'superseded',
    reason: `another worker has the slot ${run.workerId}; end it, or choose another name with --slot`,
  };
}

/** Takes over a slot whose last process is gone and requeues its task; a live one keeps it. */
async function takeSlot(run: WorkerRun): Promise<Outcome<'registerWorker'>> {
  const { store, facts, workerId, incarnation, isGone, keepLost, lease } = run;
  const own = { ...facts, workerId, incarnation, leaseMs: lease?.leaseMs };
  // its last worker may have finished its task before it was killed
  const waiting = await run.kept.deliver();
  if (waiting !== null) return waiting;
  await run.kept.finish?.();
  const registered = await store.registerWorker(own);
  if (registered.type !== 'occupied' || !isGone(registered.worker)) return registered;
  await keepLost(registered.worker);
  const { id, incarnation: before } = registered.worker;
  const reason = 'its process was gone when its slot was taken over';
  await store.reap({ workerId: id, incarnation: before, evidence: 'exited', staleAfterMs: 0, graceMs: 0, reason });
  return store.registerWorker(own);
}

/** An ending that a coordinator knows, or a text. */
function exitReasonOf(end: WorkerEnd): string {
  if (end.type === 'noAgent') return 'launchFailed' satisfies RunEnding;
  return end.type === 'stopped' ? end.ending : end.reason;
}

async function workUntilStopped(run: WorkerRun, incarnation: number): Promise<WorkerEnd> {
  const ends: RunEnd[] = [];
  if (run.drain.aborted) return { type: 'stopped', ending: 'drained', reason: 'drained' };
  run.drain.addEventListener('abort', () => void run.store.drainWorker({ workerId: run.workerId, incarnation }), {
    once: true,
  });
  while (true) {
    await waitBeforeStart(run, incarnation, ends);
    const outcome = noAgentNow(run) ?? (await workOnNext(run, incarnation));
    if (outcome.type !== 'ended') return outcome;
    ends.unshift({ ...outcome, ending: outcome.end.ending, endedAt: run.clock.now() });
    run.report(outcome.end.ending === 'launchFailed' ? outcome.end.why : `the agent ended: ${outcome.end.why}`);
    if (outcome.ofTask) run.report(outcome.ofTask);
    if (cannotBeStarted(ends)) return NO_AGENT;
  }
}

/** No task is claimed without an agent for it: it would be released again and again. */
function noAgentNow({ whyNoAgent, drain, clock }: WorkerRun): Ended | null {
  const why = drain.aborted ? null : whyNoAgent();
  if (why === null) return null;
  return { type: 'ended', end: { ending: 'launchFailed', why }, madeProgress: false, startedAt: clock.now() };
}

/** Half a minute at least: a program that is just being replaced is back by then. */
const TRIES = 5;

const NO_AGENT: WorkerEnd = { type: 'noAgent', reason: `the agent could not be started ${TRIES} times in a row` };

const cannotBeStarted = (ends: readonly RunEnd[]) =>
  ends.length >= TRIES && ends.slice(0, TRIES).every(({ ending }) => ending === 'launchFailed');

async function workOnNext(run: WorkerRun, incarnation: number): Promise<WorkedOn | Left> {
  if (run.verifyCompleted) await beatDuring(run.verifyCompleted(), { ...run, lease: run.lease, incarnation });
  const next = await nextTask(run, incarnation);
  return next.type === 'task' ? workOn(run, next) : next;
}

/** Repeated crashes wait longer and longer; progress ends the delay. */
async function waitBeforeStart(run: WorkerRun, incarnation: number, ends: readonly RunEnd[]): Promise<void> {
  const { store, workerId, clock, drain, report, lease = DEFAULT_LEASE } = run;
  const decision = decideRestart({ now: clock.now(), ends, policy: RESTART_POLICIES.slot, jitter: jitterOf(workerId) });
  if (decision.type === 'start' || run.movedTo?.() != null) return;
  const { untilAt, why } = decision;
  const isRest = why !== 'continuation';
  if (isRest) report(`waiting ${formatSeconds(untilAt - clock.now())} before the next start (${why})`);
  if (isRest) run.noteRest(incarnation, { why, untilAt });
  while (clock.now() < untilAt && !drain.aborted) {
    // it is alive: a coordinator would end it as silent
    if (isRest) await store.heartbeat({ workerId, incarnation });
    await clock.sleep(Math.min(lease.beatMs, Math.max(0, untilAt - clock.now())), drain);
  }
  if (isRest) run.noteRest(incarnation, null);
}

interface Ended {
  readonly type: 'ended';
  readonly startedAt: number;
  readonly end: AgentEnd;
  readonly madeProgress: boolean;
  /** What its task is now. */
  readonly ofTask?: string | null;
}

type WorkedOn = Extract<WorkerEnd, { type: 'superseded' }> | Ended;

async function workOn(run: WorkerRun, task: FirstTask): Promise<WorkedOn> {
  const { store, workerId } = run;
  const startedAt = run.clock.now();
  // the next session of the agent takes over the worker's name
  await store.updateWorker({ workerId, incarnation: task.incarnation, sessionId: null, stopBlock: 'clear' });
  const confirmed = await confirmLease(run, task);
  if (confirmed.type === 'superseded') return confirmed;
  if (confirmed.type === 'settled') return noLongerHeld(startedAt, confirmed.reason);
  if (confirmed.type === 'unavailable') return unserved(run, task, confirmed.reason);
  const { agent, heardAt } = await startBeating(run, task, confirmed.heardAt);
  const over = new AbortController();
  let order: BeatOrder | null = null;
  let wasEnded = false;
  const endAgent = (why: string) => {
    wasEnded = true;
    return agent.end(why);
  };
  const obey = async (given: BeatOrder) => {
    order ??= given;
    if (given.type === 'drain') await drained(run, { ...agent, end: endAgent });
    else await endAgent(given.reason);
  };
  const { deliver } = run.kept;
  let known: Lease | null = task.lease;
  let { taskId } = task.lease;
  let isLeft = false;
  const holds = async (lease: Lease | null) => {
    // a heartbeat that hung until the next task
    if (isLeft) return;
    known = lease;
    taskId = lease?.taskId ?? taskId;
    await run.holds?.(lease);
  };
  const beating = { ...run, incarnation: task.incarnation, over: over.signal, obey, deliver, heardAt, holds };
  const beats = beatWhile(beating);
  // an agent without heartbeats would outlive its lease; the error itself ends this worker below, and no other one of its process
  beats.catch(() => endAgent('its heartbeats failed')).catch(() => {});
  const end = await agent.ended;
  over.abort('the agent is gone');
  // together: each of them may hang
  const [held] = await Promise.all([soon(heldAt(store, workerId, task.incarnation), run), soon(beats, run)]);
  isLeft = true;
  const given = order as BeatOrder | null;
  if (given?.type === 'superseded') {
    await run.leaveFolder(task.lease);
    return { type: 'superseded', reason: given.reason };
  }
  // a store that does not answer has not settled anything
  const left = held === null || held.now === null ? known : held.lease;
  const meant = given === null || overtook(end, given) ? end : orderedEnd(given, { end, wasEnded });
  const isDone = left === null || (await settled(run, left, meant));
  const madeProgress = isDone || meant.timedOut === 'release';
  await run.leaveFolder(task.lease);
  const { accountKey } = run.facts;
  const pause = end.ending === 'rateLimited' ? await describePause(store, accountKey) : null;
  const why = pause === null ? meant.why : `${meant.why}; the account ${accountKey} is paused for ${pause}`;
  const outcome = await soon(store.task({ id: taskId }), run);
  const ofTask = outcome?.type === 'found' ? describeOutcome(outcome.task) : null;
  return { type: 'ended', startedAt, end: { ...meant, why }, madeProgress, ofTask };
}

/** It had finished before the order was carried out: its process is gone a while before all that it left is ended. */
const overtook = ({ hasFinished }: AgentEnd, { type }: BeatOrder) =>
  hasFinished === true && (type === 'deadline' || type === 'stalled');

/** An ordered end overrides how the agent exited. */
function orderedEnd(
  given: BeatOrder,
  { end, wasEnded }: { readonly end: AgentEnd; readonly wasEnded: boolean },
): AgentEnd {
  const timedOut = given.type === 'deadline' ? given.timedOut : undefined;
  const hasFinished = end.hasFinished ?? (end.ending === 'clean' && !wasEnded);
  return { ending: given.ending, why: given.reason, timedOut, hasFinished };
}

/**
 * Null without an answer by then. A request can hang for as long as a network drops packets, and what the agent finished must be on
 * disk before its lease ends.
 */
async function soon<Answer>(
  answer: Promise<Answer>,
  { clock, lease = DEFAULT_LEASE }: Pick<WorkerRun, 'clock' | 'lease'>,
): Promise<Answer | null> {
  const over = new AbortController();
  const late = clock.sleep(lease.beatMs, over.signal).then(() => null);
  return Promise.race([answer, late]).finally(() => over.abort('it answered'));
}

/** Starting may take longer than a lease: a clone, an installation. */
async function startBeating(run: WorkerRun, task: FirstTask, confirmedAt: number) {
  const started = new AbortController();
  let heardAt = confirmedAt;
  // not awaited: a heartbeat that hangs must not keep the agent from being watched
  beatUntil(started.signal, { ...run, lease: run.lease, incarnation: task.incarnation }, (sentAt) => {
    heardAt = sentAt;
  }).catch(() => {});
  const agent = await run.startAgent(task).finally(() => started.abort('it is started'));
  return { agent, heardAt };
}

const noLongerHeld = (startedAt: number, why: string): Ended => ({
  type: 'ended',
  startedAt,
  end: { ending: 'clean', why },
  madeProgress: true,
});

/** Its worker has to stop, and does not know whether the task is still its own: released when the store answers. */
async function unserved(run: WorkerRun, { lease }: FirstTask, why: string): Promise<Ended> {
  const end: AgentEnd = { ending: 'launchFailed', why };
  await run.settleLeft(lease, end);
  return { type: 'ended', startedAt: run.clock.now(), end: { ...end, ending: 'drained' }, madeProgress: false };
}

/** What the agent reported while the store was away counts more than how it ended. */
async function settled({ kept, settleLeft }: WorkerRun, left: Lease, end: AgentEnd): Promise<boolean> {
  const reported = await kept.of(left.attemptId);
  if (reported !== null) return reported.operation === 'complete';
  if (await settleLeft(left, end)) return true;
  return (await kept.of(left.attemptId))?.operation === 'complete';
}

/** Its stop hook lets it stop at its next stop; at the end of the window it is ended. */
async function drained({ clock, drainMs }: WorkerRun, agent: RunningAgent): Promise<void> {
  const gone = new AbortController();
  const isGone = () => gone.abort('the agent is gone');
  agent.ended.then(isGone, isGone);
  await clock.sleep(drainMs, gone.signal);
  if (!gone.signal.aborted) await agent.end('the worker is drained');
}
