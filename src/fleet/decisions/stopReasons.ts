import { formatSeconds } from '../../system/formatDuration.ts';
import { oneLine } from '../../system/sentence.ts';
import { idleMs, remainingIdleMs } from './idleTime.ts';
import type { AnswerStep, ApproveWhy, HeldTask, StopStepFacts } from './stopStep.ts';

const LONGEST_TITLE = 200;

const APPROVED: { readonly [Why in ApproveWhy]: (detail: string, idleForMs: number) => string } = {
  noWorker: () => 'This session is not a worker known to Stopgate, so it may stop.',
  storeUnavailable: () => 'The task store does not respond, so this worker may stop.',
  neverBlock: (detail) => `This stop is never blocked: ${detail}.`,
  superseded: () => 'Another worker now has this task or this slot, so this worker may stop.',
  cancelled: () => 'The task was cancelled, so this worker may stop.',
  draining: () => 'This worker is being drained: it takes no more tasks and may stop.',
  ended: () => 'This worker has already ended, so it may stop.',
  deadlineOver: () =>
    'The time limit of the task has passed, so this worker may stop; its supervisor settles the task.',
  blockCap: () => 'This worker was blocked too often without using a tool, so it may stop; tasks go to another worker.',
  idle: (_detail, idleForMs) => `No task arrived for ${formatSeconds(idleForMs)}, so this worker may stop.`,
};

/** One sentence for the answer to a stop. */
export function answerReason(step: AnswerStep, { now, worker, held = null }: StopStepFacts): string {
  if (step.type === 'approve') return APPROVED[step.why](step.detail ?? '', worker === null ? 0 : idleMs(worker, now));
  const taskId = String(worker?.taskId ?? '');
  if (step.type === 'abandon')
    return `Task ${taskId} counts as failed: its worker was sent back to it ${worker?.stopBlocks ?? 0} times but neither used a tool nor settled it. The worker may stop.`;
  if (step.why === 'waitOn') return waitOnReason(worker && remainingIdleMs(worker, now));
  return heldReason(taskId, held, { now, isLast: step.blocksLeft === 0 });
}

export function pendingReason(tasks: readonly { readonly id: string; readonly title: string }[]): string {
  const first = tasks[0];
  if (!first) return 'A task may be waiting for this worker.';
  const more = tasks.length === 1 ? '' : ` (and ${tasks.length - 1} more)`;
  return `Task ${first.id} is waiting for this worker${more}: ${oneLine(first.title, LONGEST_TITLE)}`;
}

/** For a hook that cannot wait: the worker is idle, but not for long enough to stop. */
export function waitingReason(idleForMs: number, remainingMs: number | null): string {
  const left = remainingMs === null ? 'no idle limit' : `${formatSeconds(remainingMs)} left`;
  return `No task yet: idle for ${formatSeconds(idleForMs)}, ${left}.`;
}

/** Makes the agent call a tool, which resets the host's count of blocks; the hook then keeps waiting. */
function waitOnReason(remainingMs: number | null): string {
  const left = remainingMs === null ? '' : ` for up to ${formatSeconds(remainingMs)} more`;
  return `No task yet, but this worker is still needed${left}. Run \`stopgate worker wait --timeout 1s\` once, then stop again; write nothing else.`;
}

function heldReason(
  taskId: string,
  held: HeldTask | null,
  { now, isLast }: { readonly now: number; readonly isLast: boolean },
): string {
  const title = held === null ? '' : ` (${oneLine(held.title, LONGEST_TITLE)})`;
  const left = held?.deadlineAt == null ? '' : ` ${formatSeconds(held.deadlineAt - now)} left for it.`;
  const last = isLast ? ' If you stop again without doing so, the task goes to another worker.' : '';
  return `You still hold task ${taskId}${title}.${left} Continue working on it, or settle it: \`stopgate task complete ${taskId}\`, \`fail\` or \`release\`.${last}`;
}

/** Read by the next attempt, and by a person who finds the task dead. */
export const UNSETTLED =
  'The agent stopped without settling its task: it did not run `stopgate task complete`, `fail` or `release`.';
