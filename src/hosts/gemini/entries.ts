import type { SettingEntry, SettingsEntry } from '../../schemas/settingsHold.ts';
import { START_SECONDS } from '../../stop/checks/hookTime.ts';
import { type FeatureRows, featureEntries, hook, script, stopSeconds, withNode } from '../entryCommands.ts';
import type { EntryPaths, HostFeature } from '../host.ts';

/** Events of several hosts look alike, so the hook is told who calls. */
const HOST = ['--host', 'gemini'] as const;

const sessionStart = (paths: EntryPaths) => {
  const { startSeconds = null } = paths;
  const time = startSeconds === null ? '' : ` --timeout ${startSeconds}`;
  const command = hook(`session-start${time} ${HOST.join(' ')}`, paths);
  return { event: 'SessionStart', command, timeout: startSeconds ?? START_SECONDS };
};

const ENTRIES: FeatureRows = {
  checks: (paths) => [
    {
      event: 'AfterAgent',
      command: hook(`stop --timeout ${stopSeconds(paths)} ${HOST.join(' ')}`, paths),
      timeout: stopSeconds(paths),
    },
    sessionStart(paths),
    // only tools that can change files; a user's profile need not have it
    {
      event: 'BeforeTool',
      matcher: 'run_shell_command|write_file|replace',
      command: withNode('gate-guard.sh', { ...paths, hooksDir: undefined }, ...HOST),
      timeout: 10,
    },
  ],
  countdown: (paths) => [
    { event: 'AfterTool', command: `${script('budget-countdown.sh', paths)} AfterTool`, timeout: 5 },
    sessionStart(paths),
  ],
  landing: (paths) => [{ event: 'BeforeTool', command: withNode('landing.sh', paths, ...HOST), timeout: 10 }],
};

/** Answers to the same refusal look alike, which its loop detection takes for a loop. */
const NO_LOOP_DETECTION: SettingEntry = { path: ['model', 'disableLoopDetection'], value: true };

export const geminiEntries = (features: readonly HostFeature[], paths: EntryPaths): readonly SettingsEntry[] => [
  ...featureEntries(ENTRIES, features, paths),
  ...(features.includes('checks') ? [NO_LOOP_DETECTION] : []),
];
