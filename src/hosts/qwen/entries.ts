import type { SettingEntry, SettingsEntry } from '../../schemas/settingsHold.ts';
import { START_SECONDS } from '../../stop/checks/hookTime.ts';
import { type FeatureRows, featureEntries, hook, script, stopSeconds, withNode } from '../entryCommands.ts';
import type { EntryPaths, HostFeature } from '../host.ts';

/** Events of several hosts look alike, so the hook is told who calls. */
const HOST = ['--host', 'qwen'] as const;

/** A hook that takes more than 60s ends the whole run, whatever its timeout is (0.24.4). */
export const LONGEST_HOOK_SECONDS = 50;

const sessionStart = (paths: EntryPaths) => {
  const seconds = Math.min(paths.startSeconds ?? START_SECONDS, LONGEST_HOOK_SECONDS);
  const command = hook(`session-start --timeout ${seconds} ${HOST.join(' ')}`, paths);
  return { event: 'SessionStart', command, timeout: seconds };
};

const countdown = (event: string) => (paths: EntryPaths) => ({
  event,
  command: `${script('budget-countdown.sh', paths)} ${event}`,
  timeout: 5,
});

const ENTRIES: FeatureRows = {
  checks: (paths) => [
    {
      event: 'Stop',
      // longer checks go on between the stops: see src/stop/checks/pieces
      command: hook(`stop --timeout ${LONGEST_HOOK_SECONDS} --whole ${stopSeconds(paths)} ${HOST.join(' ')}`, paths),
      timeout: LONGEST_HOOK_SECONDS,
    },
    sessionStart(paths),
    // only tools that can change files; a user's profile need not have it
    {
      event: 'PreToolUse',
      matcher: 'run_shell_command|write_file|edit|notebook_edit',
      command: withNode('gate-guard.sh', { ...paths, hooksDir: undefined }, ...HOST),
      timeout: 10,
    },
  ],
  countdown: (paths) => [
    countdown('PostToolUse')(paths),
    // a command that fails has no PostToolUse
    countdown('PostToolUseFailure')(paths),
    sessionStart(paths),
  ],
  landing: (paths) => [{ event: 'PreToolUse', command: withNode('landing.sh', paths, ...HOST), timeout: 10 }],
};

/** The most that it takes; its own 8 would end a turn whose checks still fail. */
const MOST_BLOCKS: SettingEntry = { path: ['stopHookBlockingCap'], value: 100 };

export const qwenEntries = (features: readonly HostFeature[], paths: EntryPaths): readonly SettingsEntry[] => [
  ...featureEntries(ENTRIES, features, paths),
  ...(features.includes('checks') ? [MOST_BLOCKS] : []),
];
