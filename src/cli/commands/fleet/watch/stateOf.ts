import { onlyPersonCanFix } from '../../../../fleet/decisions/accountTrouble.ts';
import { whyFull } from '../../../../fleet/worker/reviewLimitedStore.ts';
import { lacksVerifier } from '../../../../store/verification.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Task, TaskStatus } from '../../../wiring/store/openedStore.ts';
import { verifyingText } from '../../task/list/verifyingText.ts';
import { restingText } from '../status/fleetStatusText.ts';
import type { StatusWorker } from '../status/gatherFleetStatus.ts';
import type { FleetState } from './states.ts';
import { holderOf, type Item, type RestingSlot, type WatchFacts } from './watchFacts.ts';

export interface ItemState {
  readonly state: FleetState;
  /** Why, and until when; empty where the state says all. */
  readonly why: string;
}

type Facts = Pick<WatchFacts, 'status' | 'pausedQueues'>;

export function stateOf(item: Item, facts: Facts, now: number): ItemState {
  if (item.type === 'worker') return WORKER_STATES[item.worker.shownStatus](item.worker, facts, now);
  return item.type === 'slot' ? slotState(item.slot, now) : TASK_STATES[item.task.status](item.task, facts, now);
}

/** Whether a row waits for a person, without the words. */
export function needsPerson(item: Item, { status }: Pick<Facts, 'status'>): boolean {
  if (item.type === 'task') return item.task.status === 'held';
  return (
    item.type === 'worker' && item.worker.shownStatus === 'paused' && onlyPersonCanFix(troubleOf(item.worker, status))
  );
}

/** The error that paused its account. */
function troubleOf({ accountKey }: StatusWorker, { accounts }: Facts['status']): string {
  return accounts.find(({ key }) => key === accountKey)?.source?.split(',', 1)[0] ?? '';
}

type WorkerRule = (worker: StatusWorker, facts: Facts, now: number) => ItemState;

const silent: WorkerRule = ({ heartbeatAt }, _facts, now) => ({
  state: 'silent',
  why: `no heartbeat for ${formatSeconds(now - heartbeatAt)}`,
});

const ended: WorkerRule = ({ exitReason }) => ({ state: 'dead', why: exitReason ?? '' });

function whyStarting(leftMs: number | null): string {
  if (leftMs === null) return '';
  return leftMs < 0 ? 'not registered yet; its output has the reason' : `must register within ${formatSeconds(leftMs)}`;
}

const WORKER_STATES: Readonly<Record<StatusWorker['shownStatus'], WorkerRule>> = {
  busy: () => ({ state: 'working', why: '' }),
  idle: (worker, facts, now) => ({ state: 'waiting', why: whyIdle(worker, facts, now) }),
  paused: (worker, facts, now) => pausedState(worker, facts, now),
  launching: ({ launchUntil }, _facts, now) => ({
    state: 'starting',
    why: whyStarting(launchUntil === null ? null : launchUntil - now),
  }),
  draining: ({ taskId }) => ({ state: 'draining', why: taskId === null ? 'takes no more tasks' : 'finishes its task' }),
  suspect: silent,
  unresponsive: silent,
  gone: ({ taskId }) => ({
    state: 'dead',
    why: `its process has ended${taskId === null ? '' : '; `stopgate fleet up` requeues its task'}`,
  }),
  lost: ended,
  stopped: ended,
};

function whyIdle({ queue, idleSince, idleLimitMs }: StatusWorker, { status, pausedQueues }: Facts, now: number) {
  const { delayed, blocked, held, nextDueAt } = status.tasks;
  const others = [
    ...(delayed > 0
      ? [`${delayed} delayed${nextDueAt === null ? '' : `, next in ${formatSeconds(nextDueAt - now)}`}`]
      : []),
    ...(blocked > 0 ? [`${blocked} blocked`] : []),
    ...(held > 0 ? [`${held} held`] : []),
  ].join(', ');
  const what = whyClosed(queue, { status, pausedQueues }) ?? `for a task${others && `: ${others}`}`;
  const until = idleSince === null || idleLimitMs === null ? null : idleSince + idleLimitMs - now;
  return until === null ? what : `${what}; stops in ${formatSeconds(until)}`;
}

/** Why no task of a queue is claimed; null while they are. */
function whyClosed(queue: string, { status, pausedQueues }: Facts): string | null {
  if (pausedQueues.has(queue)) return `the queue ${queue} is paused`;
  const full = status.full.find((one) => one.queue === queue);
  return full === undefined ? null : whyFull(full);
}

function pausedState(worker: StatusWorker, { status }: Facts, now: number): ItemState {
  const { accountKey, pausedUntil } = worker;
  const source = status.accounts.find(({ key }) => key === accountKey)?.source ?? '';
  const until = pausedUntil === null ? '' : ` until ${clockTime(pausedUntil)} (${formatSeconds(pausedUntil - now)})`;
  const why = `account ${accountKey}${until}${source && `: ${source}`}`;
  return { state: onlyPersonCanFix(troubleOf(worker, status)) ? 'needs you' : 'paused', why };
}

/** An error may have the end of an output below it. */
const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';

export const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 5);

const slotState = (slot: RestingSlot, now: number): ItemState => ({ state: 'paused', why: restingText(slot, now) });

type TaskRule = (task: Task, facts: Facts, now: number) => ItemState;

const TASK_STATES: Readonly<Record<TaskStatus, TaskRule>> = {
  claimed: ({ id }, facts, now) => {
    const holder = holderOf(facts, id);
    if (holder === undefined) return { state: 'silent', why: 'its worker is not running' };
    const { state, why } = WORKER_STATES[holder.shownStatus](holder, facts, now);
    return state === 'silent' || state === 'dead' ? { state: 'silent', why } : { state: 'working', why: '' };
  },
  verifying: (task, _facts, now) => ({
    state: lacksVerifier(task, now) ? 'waiting' : 'working',
    why: lacksVerifier(task, now) ? 'for a verifier' : `verified ${verifyingText(task, now)}`,
  }),
  ready: ({ queue }, facts) => {
    const closed = whyClosed(queue, facts);
    return closed === null
      ? { state: 'waiting', why: whyReady(facts.status.workers) }
      : { state: 'paused', why: closed };
  },
  delayed: ({ runAt, lastError }, _facts, now) => ({
    state: 'waiting',
    why: `until ${clockTime(runAt)} (${formatSeconds(runAt - now)})${lastError === null ? '' : `, failed: ${firstLine(lastError)}`}`,
  }),
  blocked: ({ unmetDependencies: n }) => ({ state: 'waiting', why: `for ${n} task${n === 1 ? '' : 's'}` }),
  held: ({ holdReason }) => ({ state: 'needs you', why: `held${holdReason ? `: ${holdReason}` : ''}` }),
  done: () => ({ state: 'done', why: '' }),
  dead: (task) => ({ state: 'dead', why: whyDead(task) }),
  cancelled: () => ({ state: 'cancelled', why: '' }),
};

function whyReady(workers: readonly StatusWorker[]): string {
  if (workers.length === 0) return 'no worker is running';
  return workers.every(({ shownStatus }) => shownStatus === 'paused') ? 'every worker is paused' : 'for a worker';
}

function whyDead({ failures, maxFailures, reclaims, maxReclaims, lastError }: Task): string {
  const error = lastError === null ? '' : `: ${firstLine(lastError)}`;
  if (failures >= maxFailures) return `failed ${failures}×${error}`;
  return reclaims >= maxReclaims ? `lost ${reclaims}×${error}` : `given up${error}`;
}
