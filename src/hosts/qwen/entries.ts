import type { SettingEntry, SettingsEntry } from '../../schemas/settingsHold.ts';
import { entriesOf } from '../entryCommands.ts';
import type { EntryPaths, HostFeature } from '../host.ts';

/** A hook that takes more than 60s ends the whole run, whatever its timeout is (0.24.4). */
export const LONGEST_HOOK_SECONDS = 50;

const hookEntries = entriesOf({
  host: 'qwen',
  matchers: { changing: 'run_shell_command|write_file|edit|notebook_edit' },
  // a command that fails has no PostToolUse
  countdown: ['PostToolUse', 'PostToolUseFailure'],
  longestSeconds: LONGEST_HOOK_SECONDS,
});

/** The most that it takes; its own 8 would end a turn whose checks still fail. */
const MOST_BLOCKS: SettingEntry = { path: ['stopHookBlockingCap'], value: 100 };

export const qwenEntries = (features: readonly HostFeature[], paths: EntryPaths): readonly SettingsEntry[] => [
  ...hookEntries(features, paths),
  ...(features.includes('checks') ? [MOST_BLOCKS] : []),
];
