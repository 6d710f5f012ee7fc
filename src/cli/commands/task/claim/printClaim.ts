import { settleCommands } from '../../../../fleet/decisions/handover.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import { visibleText } from '../../../output/visibleText.ts';
import type { Claimed, ClaimOutcome, PreviousAttempt, Readiness } from '../../../wiring/store/openedStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';

interface ClaimContext {
  readonly world: TaskWorld;
  /** By the store's clock. */
  readonly now: number;
  readonly worker: string;
  /** Whether `--store` was given, so that settling needs it too. */
  readonly storeFlag: boolean;
}

export type AnsweredClaim = Exclude<ClaimOutcome, { type: 'unavailable' }>;

/** Prints the task and how to settle it, or why there is none. */
export function printClaim(outcome: AnsweredClaim, context: ClaimContext): void {
  const { world, now, worker } = context;
  if (outcome.type === 'claimed') world.print(claimedText(outcome, context));
  else world.warn(outcome.type === 'empty' ? emptySentence(outcome, now) : refusalSentence(outcome, worker, now));
}

/** For a loop of claims, these refusals mean the same as an empty queue. */
const LIKE_EMPTY: readonly string[] = ['accountPaused', 'draining', 'taskNotReady'];

export function exitOfClaim(outcome: AnsweredClaim): number {
  if (outcome.type === 'claimed') return TASK_EXIT.done;
  if (outcome.type === 'empty' || LIKE_EMPTY.includes(outcome.reason)) return TASK_EXIT.nothing;
  return outcome.reason === 'staleIncarnation' ? TASK_EXIT.notYours : TASK_EXIT.wrongUse;
}

function claimedText(claimed: Claimed, { now, storeFlag }: ClaimContext): string {
  const { task, lease, attempt, attemptNumber, previous } = claimed;
  const left = attempt.deadlineAt === null ? '' : ` · ${formatSeconds(attempt.deadlineAt - now)} left`;
  const body = task.body.trim() === '' ? [] : ['', visibleText(task.body.trimEnd())];
  return [
    `Task ${task.id} · epoch ${lease.epoch} · attempt ${attemptNumber}${left}`,
    visibleText(task.title),
    ...body,
    ...(previous === null ? [] : ['', ...previousLines(previous, now)]),
    '',
    `Settle it${storeFlag ? ', with the same --store' : ''}:`,
    ...settleCommands(lease).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function previousLines({ state, error, checkpoint, endedAt, details }: PreviousAttempt, now: number): string[] {
  const when = endedAt === null ? '' : ` ${formatSeconds(now - endedAt)} ago`;
  const place = details.branch ?? details.wipRef;
  return [
    `An earlier attempt ended${when}: ${state}${error ? `: ${visibleText(error)}` : ''}.`,
    ...(place === undefined ? [] : [`Its work: ${visibleText(place)}`]),
    ...(checkpoint === null ? [] : ['Its notes:', visibleText(checkpoint)]),
  ];
}

function emptySentence(found: Readiness, now: number): string {
  const due = found.nextDueAt === null ? '' : `, the next in ${formatSeconds(Math.max(0, found.nextDueAt - now))}`;
  const reasons = [
    found.queuePaused && `the queue is paused${found.ready > 0 ? ` with ${counted(found.ready)} ready` : ''}`,
    found.delayed > 0 && `${counted(found.delayed)} delayed${due}`,
    found.blocked > 0 && `${counted(found.blocked)} blocked by other tasks`,
    found.held > 0 && `${counted(found.held)} held`,
    found.limited > 0 && `${counted(found.limited)} kept back by a limit`,
    found.otherType > 0 && `${counted(found.otherType)} of another type`,
  ].filter((reason) => reason !== false);
  return `Nothing to claim: ${reasons.length === 0 ? 'no task is waiting' : reasons.join('; ')}.`;
}

const counted = (count: number) => (count >= 1000 ? '1,000 or more' : String(count));

type Refused = Extract<ClaimOutcome, { type: 'refused' }>;

type Refusals = {
  readonly [Reason in Refused['reason']]: (
    worker: string,
    refused: Extract<Refused, { reason: Reason }>,
    now: number,
  ) => string;
};

const REFUSALS: Refusals = {
  holding: (worker, { lease: { taskId, epoch } }) =>
    `The worker ${worker} already has task ${taskId} (epoch ${epoch}); settle it first, or claim under another name with --worker.`,
  accountPaused: (worker, { untilAt }, now) =>
    `Nothing to claim: the account of ${worker} is paused for another ${formatSeconds(untilAt - now)}.`,
  taskNotReady: (_worker, { status }) => `Nothing to claim: that task is ${status}.`,
  staleIncarnation: (worker, { incarnation }) =>
    `The worker ${worker} was restarted (incarnation ${incarnation}), so this process cannot claim tasks for it.`,
  draining: (worker) => `Nothing to claim: the worker ${worker} is being drained and gets no more tasks.`,
  unknownTask: () => 'There is no such task; `stopgate task list` shows the tasks.',
  unknownWorker: (worker) => `The worker ${worker} no longer exists; claim again.`,
  launching: (worker) => `The worker ${worker} is still starting; it can claim once it has registered.`,
  stopped: (worker) => `The worker ${worker} has stopped; claim again to restart it.`,
  lost: (worker) => `The worker ${worker} was lost; claim again to restart it.`,
  claimKeyUsed: (worker) => `This claim of ${worker} was already made; claim again.`,
};

function refusalSentence(refused: Refused, worker: string, now: number): string {
  const describe = REFUSALS[refused.reason] as (worker: string, refused: Refused, now: number) => string;
  return describe(worker, refused, now);
}
