import type { StopSituation } from '../../stop/exemptions.ts';
import type { Lease } from '../../store/types.ts';
import type { Clock } from '../../system/clock.ts';
import { ownValue } from '../../system/ownValue.ts';
import { jitterOf } from '../decisions/jitter.ts';
import { decideRestart, RESTART_POLICIES, type RunEnd, type RunEnding } from '../decisions/restartBudget.ts';
import type { TreeState } from '../decisions/timeOver.ts';
import { askWorkerStop } from './askWorkerStop.ts';
import { type BeatOrder, beatWhile } from './beatWhile.ts';
import { heldBy } from './heldBy.ts';
import { restOf } from './restAccount.ts';
import { type SlotWish, takeSlot } from './takeSlot.ts';
import type { TimedOut } from './watchDeadline.ts';
import type { AgentActivity } from './watchForStall.ts';

/** How an agent's process ended, and what its end means for the task that it still holds. */
export interface AgentEnd {
  readonly ending: RunEnding;
  /** In words, for the record. */
  readonly why: string;
  /** With `rateLimited`: what the provider said. */
  readonly trouble?: { readonly error: string; readonly text: string } | undefined;
  /** It was ended because the time of its task was over. */
  readonly timedOut?: TimedOut | undefined;
}

export interface RunningAgent {
  readonly ended: Promise<AgentEnd>;
  /** Politely, then not; resolves when its group is gone. */
  end(why: string): Promise<void>;
}

/** What a worker does with a task is passed in: here is only who holds it, for how long, and what becomes of it. */
export interface WorkerRun extends SlotWish {
  readonly clock: Clock;
  /** Why an agent could not be started now, in words; asked before a task is taken for it. */
  readonly whyNoAgent: () => string | null;
  readonly startAgent: (first: FirstTask) => Promise<RunningAgent>;
  /** Settles a task that the agent left, with its work kept; true when that was the task's good end. */
  readonly settleLeft: (lease: Lease, end: AgentEnd) => Promise<boolean>;
  /** The agent is gone and its task settled: what is done about the folder that it worked in. */
  readonly leaveFolder: (lease: Lease) => Promise<void>;
  /** What the agent's hooks last said; null when they say nothing. */
  readonly activity: () => AgentActivity | null;
  /** How the folder stands in which the agent works. */
  readonly treeState: () => Promise<TreeState>;
  readonly newClaimKey: () => string;
  /** Aborted: finish or hand back inside `drainMs`. */
  readonly drain: AbortSignal;
  readonly drainMs: number;
  readonly tell: (sentence: string) => void;
}

export interface FirstTask {
  readonly incarnation: number;
  readonly prompt: string;
  readonly lease: Lease;
}

export type WorkerEnd =
  /** `ending` is the word that a coordinator reads. */
  | { readonly type: 'letGo'; readonly ending: RunEnding; readonly reason: string }
  | { readonly type: 'occupied'; readonly reason: string }
  | { readonly type: 'superseded'; readonly reason: string }
  /** Tried again and again, and it could not be started. */
  | { readonly type: 'noAgent'; readonly reason: string }
  | { readonly type: 'unavailable'; readonly reason: string };

/**
 * One supervised worker.
 *
 * registered → waits for a task in this process, which costs no tokens → an agent is started with it → its stop hook hands
 * it further ones and waits between them → the agent ends → what it left is settled → waits again, after a rest if it ended
 * badly. Ends when its idle window is over, when it is drained, when somebody else has its slot, or when no agent can be
 * started any more.
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
  const end = await workUntilLetGo(run, incarnation);
  await run.store.stopWorker({
    workerId: run.workerId,
    incarnation,
    exitReason: exitReasonOf(end),
  });
  return end;
}

/** An ending that a coordinator knows, or words. */
function exitReasonOf(end: WorkerEnd): string {
  if (end.type === 'noAgent') return 'launchFailed' satisfies RunEnding;
  return end.type === 'letGo' ? end.ending : end.reason;
}

async function workUntilLetGo(run: WorkerRun, incarnation: number): Promise<WorkerEnd> {
  const ends: RunEnd[] = [];
  if (run.drain.aborted) return { type: 'letGo', ending: 'drained', reason: 'drained' };
  run.drain.addEventListener('abort', () => void run.store.drainWorker({ workerId: run.workerId, incarnation }), {
    once: true,
  });
  while (true) {
    await rest(run, ends);
    const outcome = noAgentNow(run) ?? (await workOnNext(run, incarnation));
    if (outcome.type !== 'ended') return outcome;
    ends.unshift({ ...outcome, ending: outcome.end.ending, endedAt: run.clock.now() });
    run.tell(outcome.end.ending === 'launchFailed' ? outcome.end.why : `the agent ended: ${outcome.end.why}`);
    if (cannotBeStarted(ends)) return NO_AGENT;
  }
}

/** So that no task is taken which nobody could work on: it would be given back, again and again. */
function noAgentNow({ whyNoAgent, drain, clock }: WorkerRun): Ended | null {
  const why = drain.aborted ? null : whyNoAgent();
  if (why === null) return null;
  return { type: 'ended', end: { ending: 'launchFailed', why }, madeProgress: false, startedAt: clock.now() };
}

/** Half a minute at least: a program that is just being replaced is back by then. */
const TRIES = 5;

const NO_AGENT: WorkerEnd = { type: 'noAgent', reason: `its agent could not be started, ${TRIES} times in a row` };

const cannotBeStarted = (ends: readonly RunEnd[]) =>
  ends.length >= TRIES && ends.slice(0, TRIES).every(({ ending }) => ending === 'launchFailed');

async function workOnNext(run: WorkerRun, incarnation: number): Promise<WorkedOn | LetGo> {
  const next = await nextTask(run, incarnation);
  return next.type === 'letGo' ? next : workOn(run, next);
}

/** A worker that crashes again and again rests longer and longer; one that did something goes on at once. */
async function rest({ workerId, clock, drain, tell }: WorkerRun, ends: readonly RunEnd[]): Promise<void> {
  const decision = decideRestart({ now: clock.now(), ends, policy: RESTART_POLICIES.slot, jitter: jitterOf(workerId) });
  if (decision.type === 'start') return;
  if (decision.why !== 'continuation') tell(`resting after ${decision.why}`);
  await clock.sleep(decision.untilAt - clock.now(), drain);
}

const NOTHING_SPECIAL: StopSituation = {
  switchedOff: false,
  insideCheck: false,
  sessionId: 'supervisor',
  endedBy: 'itself',
  backgroundTasks: 0,
  scheduledWakeUps: 0,
  isPlanning: false,
  remainingSeconds: null,
};

const ENDINGS: Readonly<Record<string, RunEnding>> = { idle: 'idle', draining: 'drained' };

type LetGo = Extract<WorkerEnd, { type: 'letGo' }>;
type NextTask = LetGo | ({ readonly type: 'task' } & FirstTask);

/** The same question that the stop hook asks, by the process that can wait for ever. */
async function nextTask(run: WorkerRun, incarnation: number): Promise<NextTask> {
  const { store, workerId, clock, newClaimKey, drain } = run;
  const limits = { heldBlocks: 0, hostBlocks: null };
  const waiting = { store, workerId, incarnation, clock, newClaimKey, limits, signal: drain };
  const answer = await askWorkerStop({ ...waiting, situation: NOTHING_SPECIAL, usedTool: true, answerInMs: null });
  if (drain.aborted && answer.type === 'approve') return { type: 'letGo', ending: 'drained', reason: 'drained' };
  if (answer.type === 'approve')
    return { type: 'letGo', ending: ownValue(ENDINGS, answer.why) ?? 'clean', reason: answer.reason };
  await answer.delivered?.();
  const lease = await heldBy(store, workerId, incarnation);
  // gone between the claim and the look: cancelled
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
  // the next session to come has the worker's name, whoever had it before
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
  // who was told to end had no choice of how
  const meant = given === null ? end : { ending: given.ending, why: given.reason, timedOut };
  const isDone = left === null || (await run.settleLeft(left, meant));
  const madeProgress = isDone || timedOut === 'release';
  await run.leaveFolder(task.lease);
  return { type: 'ended', startedAt, end: { ...meant, why: meant.why + (await restInWords(run, end)) }, madeProgress };
}

/** How long nothing will happen here. */
async function restInWords({ store, facts }: WorkerRun, { ending }: AgentEnd): Promise<string> {
  const rest = ending === 'rateLimited' ? await restOf(store, facts.accountKey) : null;
  return rest === null ? '' : `; the account ${facts.accountKey} rests for ${rest}`;
}

/** Its stop hook lets it go at its next stop; at the end of the window it is ended all the same. */
async function drained({ clock, drainMs }: WorkerRun, agent: RunningAgent): Promise<void> {
  const gone = new AbortController();
  void agent.ended.then(() => gone.abort('the agent is gone'));
  await clock.sleep(drainMs, gone.signal);
  if (!gone.signal.aborted) await agent.end('the worker is drained');
}
