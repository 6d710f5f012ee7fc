import { formatSeconds } from '../../system/formatDuration.ts';
import { boundedLine } from './boundedText.ts';
import type { HeldTask } from './stopFacts.ts';
import type { ApproveStep, ApproveWhy } from './stopStep.ts';

const LONGEST_TITLE = 200;

const APPROVED: { readonly [Why in ApproveWhy]: (detail: string) => string } = {
  noWorker: () => 'This session is no worker that Stopgate knows, so it may stop.',
  storeUnavailable: () => 'The task store does not answer, so this worker may stop.',
  neverBlock: (detail) => `This stop is never held: ${detail}.`,
  superseded: () => 'Somebody else has this task or this slot by now, so this worker may stop.',
  cancelled: () => 'Its task was cancelled, so this worker may stop.',
  draining: () => 'This worker is being drained: it takes no more tasks and may stop.',
  ended: () => 'This worker was ended before, so it may stop.',
  deadlineOver: () => 'The time for its task is over; its supervisor decides what becomes of it.',
  blockCap: () => 'It was sent back too often without using a tool, so it may stop; tasks go to another worker.',
  idle: () => '',
};

export function approveWords({ why, detail = '' }: ApproveStep, idleForMs: number): string {
  if (why !== 'idle') return APPROVED[why](detail);
  return `No task came for ${formatSeconds(idleForMs)}, so this worker may stop.`;
}

export function pendingWords(tasks: readonly { readonly id: string; readonly title: string }[]): string {
  const first = tasks[0];
  if (!first) return 'A task may be waiting for this worker.';
  const more = tasks.length === 1 ? '' : ` (and ${tasks.length - 1} more)`;
  return `Task ${first.id} is waiting for this worker${more}: ${boundedLine(first.title, LONGEST_TITLE)}`;
}

export interface WindowFacts {
  readonly idleMs: number;
  readonly remainingMs: number | null;
}

/** Idle below its threshold, and the hook cannot wait: how much remains. */
export function waitingWords({ idleMs, remainingMs }: WindowFacts): string {
  const left = remainingMs === null ? 'it waits without a limit' : `${formatSeconds(remainingMs)} remain`;
  return `No task yet: idle for ${formatSeconds(idleMs)}, ${left}.`;
}

/** One line that makes the agent call a tool, which keeps the host's count of blocks down; the hook then waits on. */
export function waitOnWords(remainingMs: number | null): string {
  const left = remainingMs === null ? '' : ` for up to ${formatSeconds(remainingMs)} more`;
  return `No task yet, and this worker is still needed${left}. Run \`stopgate worker wait --timeout 1s\` once, then stop again; say nothing else.`;
}

export interface HeldFacts {
  readonly taskId: string;
  readonly held: HeldTask | null;
  readonly now: number;
  readonly step: { readonly blocksLeft: number };
}

export function heldWords({ taskId, held, now, step }: HeldFacts): string {
  const title = held === null ? '' : ` (${boundedLine(held.title, LONGEST_TITLE)})`;
  const left = held?.deadlineAt == null ? '' : ` ${formatSeconds(held.deadlineAt - now)} are left for it.`;
  const last = step.blocksLeft === 0 ? ' If you stop again without doing so, it goes to another worker.' : '';
  return `You still hold task ${taskId}${title}.${left} Go on with it, or settle it: \`stopgate task complete ${taskId}\`, \`fail\` or \`release\`.${last}`;
}

export function abandonWords(taskId: string, blocks: number): string {
  return `Task ${taskId} counts as failed: its worker was sent back to it ${blocks} times and neither used a tool nor settled it. It may stop.`;
}

/** For the next attempt, and for the person who finds the task dead. */
export const UNSETTLED =
  'The agent stopped without settling its task: it ran none of `stopgate task complete`, `fail` and `release`.';
