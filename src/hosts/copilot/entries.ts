import type { HookEntry } from '../../schemas/settingsHold.ts';
import { entriesOf } from '../entryCommands.ts';
import type { EntryPaths, HostFeature } from '../host.ts';
import { type EntrySource, FROM } from './entrySource.ts';

/** Spelled like this, its events are like those of Claude Code; in camel case they are not. */
export const copilotEntries = (
  features: readonly HostFeature[],
  paths: EntryPaths,
  source: EntrySource,
): readonly HookEntry[] =>
  entriesOf({
    host: 'copilot',
    words: [FROM, source],
    countdown: ['PostToolUse top', 'PostToolUseFailure top'],
  })(features, paths);

/** The text of a file of hooks. */
export function hooksText(entries: readonly HookEntry[]): string {
  const events = Map.groupBy(entries, ({ event }) => event);
  const hooks = [...events].map(([event, list]) => [
    event,
    // in seconds; without one it is 30
    list.map(({ command, timeout }) => ({ type: 'command', bash: command, timeoutSec: timeout })),
  ]);
  return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
}
