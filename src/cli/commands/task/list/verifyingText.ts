import { lacksVerifier } from '../../../../store/verification.ts';
import { formatSeconds } from '../../../../system/formatDuration.ts';
import type { Task } from '../../../wiring/store/openedStore.ts';

/** Of a completed task: by whom it is verified, and since when. */
export function verifyingText(task: Pick<Task, 'verifyHolder' | 'verifyUntil' | 'updatedAt'>, now: number): string {
  const since = formatSeconds(Math.max(0, now - task.updatedAt));
  if (!lacksVerifier(task, now)) return `by ${task.verifyHolder} for ${since}`;
  const lost = task.verifyHolder === null ? '' : `, ${task.verifyHolder} is gone`;
  return `waits for a verifier for ${since}${lost}`;
}
