import type { SettingEntry, SettingsEntry } from '../../schemas/settingsHold.ts';
import { entriesOf } from '../entryCommands.ts';
import type { EntryPaths, HostFeature } from '../host.ts';

const hookEntries = entriesOf({
  host: 'gemini',
  stop: { event: 'AfterAgent' },
  beforeTool: 'BeforeTool',
  matchers: { changing: 'run_shell_command|write_file|replace' },
  countdown: ['AfterTool'],
});

/** Answers to the same refusal look alike, which its loop detection takes for a loop. */
const NO_LOOP_DETECTION: SettingEntry = { path: ['model', 'disableLoopDetection'], value: true };

export const geminiEntries = (features: readonly HostFeature[], paths: EntryPaths): readonly SettingsEntry[] => [
  ...hookEntries(features, paths),
  ...(features.includes('checks') ? [NO_LOOP_DETECTION] : []),
];
