import type { Task } from '../../wiring/store/openedStore.ts';

/** `2/3`: the second try of three. What is lost or given back uses up no try. */
export function attemptOf({ failures, maxFailures, state }: Pick<Task, 'failures' | 'maxFailures' | 'state'>): string {
  const isTried = state === 'claimed' || state === 'verifying' || state === 'done';
  return `${Math.min(maxFailures, failures + (isTried ? 1 : 0))}/${maxFailures}`;
}
