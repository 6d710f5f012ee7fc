import type { QueryEvent } from '../../../../query/events.ts';
import { formatDuration } from '../../../../system/formatDuration.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import type { Paint } from '../../../output/colors.ts';
import { type Outcome, paintedOutcome } from '../../../output/outcomes.ts';
import { oneLine } from '../../../output/visibleText.ts';

/** What the attachment of a hook that ended says of it. */
const OUTCOME_OF: Readonly<Record<string, Outcome>> = {
  hook_success: 'passed',
  hook_blocking_error: 'blocked',
  hook_non_blocking_error: 'no verdict',
  hook_error_during_execution: 'no verdict',
  hook_cancelled: 'skipped',
};

/**
 * A hook in the closer look at a turn: how it ended, how long it took, its command and what it printed. Null for other events.
 * `labels` has the status messages of hooks, by their commands.
 */
export function hookBlock(event: QueryEvent, paint: Paint, labels: ReadonlyMap<string, string>): string[] | null {
  if (event.type !== 'attachment') return null;
  const { type, command, hookEvent, stdout, stderr, durationMs } = event.attachment;
  const outcome = ownValue(OUTCOME_OF, type);
  if (outcome === undefined) return null;
  const name = String(command ?? 'a hook');
  const label = labels.get(name);
  const time = typeof durationMs === 'number' ? ` · ${formatDuration(durationMs)}` : '';
  const printed = [stdout, stderr].flatMap((text) => (typeof text === 'string' ? text.trimEnd().split('\n') : []));
  const below = [...(label === undefined ? [] : [name]), ...printed].filter((line) => line !== '');
  const heading = `${hookEvent} hook · ${oneLine(label ?? name)} · ${outcome}${time}`;
  return [`  ${paintedOutcome(outcome, paint, heading)}`, ...below.map((line) => paint('dim', `      ${line}`))];
}
