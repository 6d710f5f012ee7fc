import type { BackgroundRun } from '../schemas/backgroundRuns.ts';
import { taskName } from './taskName.ts';

/** One sentence about all that went wrong beside the turn, or nothing. The turn itself is not touched by any of it. */
export function exitWarning(runs: readonly BackgroundRun[]): string | undefined {
  const bad = runs.filter(({ outcome }) => outcome === 'failed' || outcome === 'cancelled');
  if (bad.length === 0) return undefined;
  const said = bad.map(({ task, outcome, reason }) => {
    const what = outcome === 'failed' ? 'failed' : 'was ended';
    return `${taskName(task)} ${what} (${reason.replace(/\.$/, '')})`;
  });
  return `After the turn, ${[...new Set(said)].join('; ')}. The answer is not affected; \`stopgate status\` shows what ran.`;
}
