import { settleCommands } from '../../../../fleet/decisions/handover.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import { visibleText } from '../../../output/visibleText.ts';
import type { Claimed, ClaimOutcome, PreviousAttempt, Readiness } from '../../../wiring/store/openedStore.ts';

export interface ClaimedView {
  readonly now: number;
  /** `--store` was given, so that what settles needs it as well. */
  readonly storeFlag: boolean;
}

/** A task as it is handed to whoever claimed it, with how to settle it. */
export function claimedText(claimed: Claimed, { now, storeFlag }: ClaimedView): string {
  const { task, lease, attempt, attemptNumber, previous } = claimed;
  const left = attempt.deadlineAt === null ? '' : ` · ${formatSeconds(attempt.deadlineAt - now)} for it`;
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

/** Why there is nothing, in one sentence. */
export function emptySentence(found: Readiness, now: number): string {
  const due = found.nextDueAt === null ? '' : `, the next in ${formatSeconds(Math.max(0, found.nextDueAt - now))}`;
  const reasons = [
    found.queuePaused && `the queue is paused${found.ready > 0 ? ` with ${counted(found.ready)} ready` : ''}`,
    found.delayed > 0 && `${counted(found.delayed)} delayed${due}`,
    found.blocked > 0 && `${counted(found.blocked)} blocked by others`,
    found.held > 0 && `${counted(found.held)} held`,
    found.otherType > 0 && `${counted(found.otherType)} of another type`,
  ].filter((reason) => reason !== false);
  return `Nothing to claim: ${reasons.length === 0 ? 'no task is waiting' : reasons.join('; ')}.`;
}

const counted = (count: number) => (count >= 1000 ? '1,000 or more' : String(count));

type Refused = Extract<ClaimOutcome, { type: 'refused' }>;

/** What a person can do about a claim that was refused. */
export function refusalSentence(refused: Refused, worker: string, now: number): string {
  if (refused.reason === 'holding') {
    const { taskId, epoch } = refused.lease;
    return `The worker ${worker} has task ${taskId} (epoch ${epoch}) already; settle that first, or claim with --worker and another name.`;
  }
  if (refused.reason === 'accountPaused') {
    return `Nothing to claim: the account of ${worker} is paused for ${formatSeconds(refused.untilAt - now)} more.`;
  }
  if (refused.reason === 'taskNotReady') return `Nothing to claim: that task is ${refused.status}.`;
  if (refused.reason === 'staleIncarnation') {
    return `The worker ${worker} was started again since (incarnation ${refused.incarnation}), so this one takes no more tasks.`;
  }
  return OTHER_REFUSALS[refused.reason](worker);
}

type OtherReason = Exclude<Refused['reason'], 'holding' | 'accountPaused' | 'taskNotReady' | 'staleIncarnation'>;

const OTHER_REFUSALS: Readonly<Record<OtherReason, (worker: string) => string>> = {
  draining: (worker) => `Nothing to claim: the worker ${worker} is being drained and takes no more tasks.`,
  unknownTask: () => 'There is no such task; `stopgate task list` shows them.',
  unknownWorker: (worker) => `There is no worker ${worker} any more; claim again.`,
  launching: (worker) => `The worker ${worker} is still being started, and claims when it has registered.`,
  stopped: (worker) => `The worker ${worker} has stopped; claim again to start it anew.`,
  lost: (worker) => `The worker ${worker} was given up as lost; claim again to start it anew.`,
  claimKeyUsed: (worker) => `This claim of ${worker} was made before; claim again.`,
};
