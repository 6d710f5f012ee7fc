import type { Lease, Outcome, Worker, WorkerFacts } from '../../store/types.ts';
import { ownValue } from '../../system/ownValue.ts';
import { decideRestart, jitterOf, RESTART_POLICIES, type RunEnd, type RunEnding } from '../decisions/restartBudget.ts';
import { askWorkerStop } from './askWorkerStop.ts';
import { type Beating, type BeatOrder, beatWhile } from './beatWhile.ts';
import { heldBy } from './heldBy.ts';
import { describePause } from './pauseAccount.ts';
import type { TimedOut } from './watchDeadline.ts';

/** How an agent's process ended, and what its end means for the task that it still holds. */
export interface AgentEnd {
  readonly ending: RunEnding;
  /** Text for the record. */
  readonly why: string;
  /** With `rateLimited`: the provider's error. */
  readonly trouble?: { readonly error: string; readonly text: string } | undefined;
  /** It was ended because the time limit of its task had passed. */
  readonly timedOut?: TimedOut | undefined;
  /** Nothing was seen of it: no tool call, no answer. */
  readonly noWork?: boolean;
  /** Names the processes that it left running; they are ended. */
  readonly left?: string;
}

export interface RunningAgent {
  readonly ended: Promise<AgentEnd>;
  /** SIGTERM, then SIGKILL; resolves when its group is gone. */
  end(why: string): Promise<void>;
}

/** How to work on a task is passed in; this module handles who holds it, for how long, and how it ends. */
export interface WorkerRun extends Omit<Beating, 'incarnation' | 'over' | 'obey'> {
  /** Reserved by the process that started this one; else the next one. */
  readonly incarnation?: number | undefined;
  readonly facts: WorkerFacts;
  /** Saves the uncommitted work of a worker that is gone. */
  readonly keepLost: (worker: Worker) => Promise<void>;
  /** True when the process of a worker on this host is known to be gone. */
  readonly isGone: (worker: Worker) => boolean;
  /** Why an agent cannot be started now; called before a task is claimed for it. */
  readonly whyNoAgent: () => string | null;
  readonly startAgent: (first: FirstTask) => Promise<RunningAgent>;
  /** Settles a task that the agent left unsettled and saves its work; true when the task is done. */
  readonly settleLeft: (lease: Lease, end: AgentEnd) => Promise<boolean>;
  /** Cleans up the folder after the agent is gone and its task is settled. */
  readonly leaveFolder: (lease: Lease) => Promise<void>;
  readonly newClaimKey: () => string;
  /** After a drain. */
  readonly drainMs: number;
}

export interface FirstTask {
  readonly incarnation: number;
  readonly prompt: string;
  readonly lease: Lease;
}

export type WorkerEnd =
  /** `ending` is recorded for the coordinator. */
  | { readonly type: 'stopped'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'occupied'; readonly reason: string }
  | { readonly type: 'superseded'; readonly reason: string }
  /** The agent could not be started, several times in a row. */
  | { readonly type: 'noAgent'; readonly reason: string }
  | { readonly type: 'unavailable'; readonly reason: string };

/**
 * One supervised worker.
 *
 * registered → waits for a task in this process, which costs no tokens → starts an agent with it → the agent's stop hook hands
 * over further tasks and waits between them → the agent ends → an unsettled task is settled → waits again, after a delay if
 * the agent crashed. Ends when its idle window is over, when it is drained, when another worker has its slot, or when the agent
 * cannot be started.
 */
export async function runWorker(run: WorkerRun): Promise<WorkerEnd> {
  const registered = await takeSlot(run);
  if (registered.type === 'unavailable') return { type: 'unavailable', reason: registered.reason };
  if (registered.type === 'occupied') {
    return { type: 'occupied', reason: `the slot ${run.workerId} still holds task ${registered.lease.taskId}` };
  }
  if (registered.type === 'staleIncarnation')
    return { type: 'superseded', reason: `another worker has the slot ${run.workerId}` };
  const { incarnation } = registered;
  const end = await workUntilStopped(run, incarnation);
  await run.store.stopWorker({
    workerId: run.workerId,
    incarnation,
    exitReason: exitReasonOf(end),
  });
  return end;
}

/** Takes over a slot whose last process is gone and requeues its task; a live one keeps it. */
async function takeSlot(run: WorkerRun): Promise<Outcome<'registerWorker'>> {
  const { store, facts, workerId, incarnation, isGone, keepLost } = run;
  const registered = await store.registerWorker({ ...facts, workerId, incarnation });
  if (registered.type !== 'occupied' || !isGone(registered.worker)) return registered;
  await keepLost(registered.worker);
  const { id, incarnation: before } = registered.worker;
  const reason = 'its process was gone when its slot was taken over';
  await store.reap({ workerId: id, incarnation: before, evidence: 'exited', staleAfterMs: 0, graceMs: 0, reason });
  return store.registerWorker({ ...facts, workerId, incarnation });
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
    await waitBeforeStart(run, ends);
    const outcome = noAgentNow(run) ?? (await workOnNext(run, incarnation));
    if (outcome.type !== 'ended') return outcome;
    ends.unshift({ ...outcome, ending: outcome.end.ending, endedAt: run.clock.now() });
    run.report(outcome.end.ending === 'launchFailed' ? outcome.end.why : `the agent ended: ${outcome.end.why}`);
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

async function workOnNext(run: WorkerRun, incarnation: number): Promise<WorkedOn | Stopped> {
  const next = await nextTask(run, incarnation);
  return next.type === 'stopped' ? next : workOn(run, next);
}

/** Repeated crashes wait longer and longer; progress ends the delay. */
async function waitBeforeStart({ workerId, clock, drain, report }: WorkerRun, ends: readonly RunEnd[]): Promise<void> {
  const decision = decideRestart({ now: clock.now(), ends, policy: RESTART_POLICIES.slot, jitter: jitterOf(workerId) });
  if (decision.type === 'start') return;
  if (decision.why !== 'continuation') report(`waiting before the next start (${decision.why})`);
  await clock.sleep(decision.untilAt - clock.now(), drain);
}

const ENDINGS: Readonly<Record<string, RunEnding>> = { idle: 'idle', draining: 'drained' };

type Stopped = Extract<WorkerEnd, { type: 'stopped' }>;
type NextTask = Stopped | ({ readonly type: 'task' } & FirstTask);

/** The same decision as in the stop hook, in a process that can wait forever. */
async function nextTask(run: WorkerRun, incarnation: number): Promise<NextTask> {
  const { store, workerId, clock, newClaimKey, drain } = run;
  const limits = { heldBlocks: 0, hostBlocks: null };
  const waiting = { store, workerId, incarnation, clock, newClaimKey, limits, signal: drain };
  const answer = await askWorkerStop({ ...waiting, usedTool: true, answerInMs: null });
  if (drain.aborted && answer.type === 'approve') return { type: 'stopped', ending: 'drained', reason: 'drained' };
  if (answer.type === 'approve')
    return { type: 'stopped', ending: ownValue(ENDINGS, answer.why) ?? 'clean', reason: answer.reason };
  await answer.delivered?.();
  const lease = await heldBy(store, workerId, incarnation);
  // cancelled between the claim and the read
  if (lease === null) return nextTask(run, incarnation);
  return { type: 'task', incarnation, prompt: answer.reason, lease };
}

interface Ended {
  readonly type: 'ended';
  readonly startedAt: number;
  readonly end: AgentEnd;
  readonly madeProgress: boolean;
}

type WorkedOn = Extract<WorkerEnd, { type: 'superseded' }> | Ended;

async function workOn(run: WorkerRun, task: FirstTask): Promise<WorkedOn> {
  const { store, workerId } = run;
  const startedAt = run.clock.now();
  // the next session of the agent takes over the worker's name
  await store.updateWorker({ workerId, incarnation: task.incarnation, sessionId: null, stopBlock: 'clear' });
  const agent = await run.startAgent(task);
  const over = new AbortController();
  let order: BeatOrder | null = null;
  const obey = async (given: BeatOrder) => {
    order ??= given;
    if (given.type === 'drain') await drained(run, agent);
    else await agent.end(given.reason);
  };
  const beats = beatWhile({ ...run, incarnation: task.incarnation, over: over.signal, obey });
  const end = await agent.ended;
  over.abort('the agent is gone');
  await beats;
  const given = order as BeatOrder | null;
  if (given?.type === 'superseded') {
    await run.leaveFolder(task.lease);
    return { type: 'superseded', reason: given.reason };
  }
  const left = await heldBy(store, workerId, task.incarnation);
  const timedOut = given?.type === 'deadline' ? given.timedOut : undefined;
  // an ordered end overrides how the agent exited
  const meant = given === null ? end : { ending: given.ending, why: given.reason, timedOut };
  const isDone = left === null || (await run.settleLeft(left, meant));
  const madeProgress = isDone || timedOut === 'release';
  await run.leaveFolder(task.lease);
  const { accountKey } = run.facts;
  const pause = end.ending === 'rateLimited' ? await describePause(store, accountKey) : null;
  const why = pause === null ? meant.why : `${meant.why}; the account ${accountKey} is paused for ${pause}`;
  return { type: 'ended', startedAt, end: { ...meant, why }, madeProgress };
}

/** Its stop hook lets it stop at its next stop; at the end of the window it is ended. */
async function drained({ clock, drainMs }: WorkerRun, agent: RunningAgent): Promise<void> {
  const gone = new AbortController();
  void agent.ended.then(() => gone.abort('the agent is gone'));
  await clock.sleep(drainMs, gone.signal);
  if (!gone.signal.aborted) await agent.end('the worker is drained');
}
