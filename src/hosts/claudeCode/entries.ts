import type { HookEntry } from '../../schemas/settingsHold.ts';
import { START_SECONDS } from '../../stop/checks/hookTime.ts';
import { type FeatureRows, featureEntries, hook, script, stopSeconds, withNode } from '../entryCommands.ts';
import type { EntryPaths, HostFeature } from '../host.ts';

const sessionStart = (paths: EntryPaths): readonly HookEntry[] => {
  const { startSeconds = null } = paths;
  const name = startSeconds === null ? 'session-start' : `session-start --timeout ${startSeconds}`;
  return [{ event: 'SessionStart', command: hook(name, paths), timeout: startSeconds ?? START_SECONDS }];
};

const ENTRIES: FeatureRows = {
  // the hook waits for checks and for tasks, so that the model does not poll
  checks: (paths) => [
    // the hook gets its own timeout: a later verdict would be discarded
    {
      event: 'Stop',
      command: hook(`stop --timeout ${stopSeconds(paths)}`, paths),
      timeout: stopSeconds(paths),
      statusMessage: 'stopgate',
    },
    // the host does not wait for it, so it only saves its input; a user's profile need not have it
    { event: 'StopFailure', command: script('stop-failure.sh', { ...paths, hooksDir: undefined }), timeout: 5 },
    ...sessionStart(paths),
    // only tools that can change files; a user's profile need not have it
    {
      event: 'PreToolUse',
      matcher: 'Bash|Edit|Write|MultiEdit|NotebookEdit',
      command: withNode('gate-guard.sh', { ...paths, hooksDir: undefined }),
      timeout: 10,
    },
  ],
  countdown: (paths) => [
    // once per batch of calls, also when all of them failed or were denied; it takes no matcher
    { event: 'PostToolBatch', command: `${script('budget-countdown.sh', paths)} PostToolBatch`, timeout: 5 },
    // for a batch that a person interrupted; a user's profile need not have it
    {
      event: 'UserPromptSubmit',
      command: script('interrupted-countdown.sh', { ...paths, hooksDir: undefined }),
      timeout: 5,
    },
    // the times in a resumed session's history are old; also reports a clock that cannot be read
    ...sessionStart(paths),
  ],
  landing: (paths) => [{ event: 'PreToolUse', matcher: '*', command: withNode('landing.sh', paths), timeout: 10 }],
};

/** The entries of these features, in the table's order. */
export const hookEntries = (features: readonly HostFeature[], paths: EntryPaths): readonly HookEntry[] =>
  featureEntries(ENTRIES, features, paths);
