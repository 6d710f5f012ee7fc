import { taskName } from '../../../../background/taskName.ts';
import type { BackgroundRun } from '../../../../schemas/backgroundRuns.ts';

/** What a person is told of work after a turn; null for what they need not know. */
export function backgroundNotice({ task, outcome, reason }: BackgroundRun): string | null {
  if (outcome === 'failed') return `${taskName(task)} failed: ${reason}`;
  const keepsMemory = task === 'memory_extraction' || task === 'auto_dream';
  return keepsMemory && outcome === 'ran' ? `${taskName(task)}: ${reason} · /memory to see` : null;
}
