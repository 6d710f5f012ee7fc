import type { StoreEvent } from '../../../wiring/store/openedStore.ts';

/** Beats of no interest to somebody who looks at a fleet. */
const QUIET: ReadonlySet<StoreEvent['kind']> = new Set([
  'attempt.checkpoint',
  'worker.updated',
  'worker.stopBlocksCleared',
  'task.acknowledged',
]);

export function isShown({ kind, data }: StoreEvent): boolean {
  // a task that was handed over at a stop is told as a claim already
  const isHandover = kind === 'worker.stopBlocked' && String(data.reason).startsWith('task ');
  return !QUIET.has(kind) && !isHandover;
}

/** `task.claimed` → `claimed`, with who, what and why. */
export function eventInWords({ kind, workerId, taskId, epoch, actor, data }: StoreEvent): string {
  const [subject = '', verb = ''] = kind.split('.');
  const words = verb.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const what = subject === 'task' || subject === 'attempt' ? `task ${short(taskId)}` : subject;
  const parts = [`${what} ${words}`];
  if (workerId !== null) parts.push(subject === 'worker' ? workerId : `by ${workerId}`);
  if (epoch !== null && verb === 'claimed') parts.push(`(epoch ${epoch})`);
  if (data.account !== undefined) parts.push(String(data.account));
  if (data.queue !== undefined) parts.push(String(data.queue));
  if (subject === 'leader' && actor !== null) parts.push(actor);
  const reason = data.reason ?? data.error ?? null;
  return reason === null || reason === '' ? parts.join(' ') : `${parts.join(' ')}: ${reason}`;
}

const short = (id: string | null) => id?.slice(0, 8) ?? '';
