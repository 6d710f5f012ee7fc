import type { HookEntry } from '../../schemas/settingsHold.ts';
import { START_SECONDS } from '../../stop/checks/hookTime.ts';
import { type FeatureRows, featureEntries, hook, script, stopSeconds, withNode } from '../entryCommands.ts';
import type { EntryPaths, HostFeature } from '../host.ts';

const HOST = ['--host', 'codex'];

const sessionStart = (paths: EntryPaths): readonly HookEntry[] => {
  const { startSeconds = null } = paths;
  const timed = startSeconds === null ? '' : ` --timeout ${startSeconds}`;
  const command = hook(`session-start${timed} ${HOST.join(' ')}`, paths);
  return [{ event: 'SessionStart', command, timeout: startSeconds ?? START_SECONDS }];
};

/** In seconds. Codex has no event for an API error, and fires PostToolUse for a failed command too. */
const ENTRIES: FeatureRows = {
  checks: (paths) => [
    {
      event: 'Stop',
      command: hook(`stop --timeout ${stopSeconds(paths)} ${HOST.join(' ')}`, paths),
      timeout: stopSeconds(paths),
      statusMessage: 'stopgate',
    },
    ...sessionStart(paths),
    {
      event: 'PreToolUse',
      matcher: 'Bash|apply_patch|Edit|Write',
      command: withNode('gate-guard.sh', { ...paths, hooksDir: undefined }, ...HOST),
      timeout: 10,
    },
  ],
  countdown: (paths) => [
    { event: 'PostToolUse', command: `${script('budget-countdown.sh', paths)} PostToolUse`, timeout: 5 },
    ...sessionStart(paths),
  ],
  landing: (paths) => [
    { event: 'PreToolUse', matcher: '*', command: withNode('landing.sh', paths, ...HOST), timeout: 10 },
  ],
};

export const codexEntries = (features: readonly HostFeature[], paths: EntryPaths): readonly HookEntry[] =>
  featureEntries(ENTRIES, features, paths);
