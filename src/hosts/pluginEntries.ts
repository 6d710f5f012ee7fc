import type { HookEntry } from '../schemas/settingsHold.ts';
import { START_SECONDS } from '../stop/checks/hookTime.ts';
import { featureEntries, hook, script, stopSeconds, withNode } from './entryCommands.ts';
import type { EntryPaths, HostFeature } from './host.ts';

/** What a plugin of ours starts at its host's events, in Claude Code's names for them. */
export function pluginEntries(host: string, features: readonly HostFeature[], paths: EntryPaths): readonly HookEntry[] {
  const named = ['--host', host];
  const { startSeconds = null } = paths;
  const timed = startSeconds === null ? '' : ` --timeout ${startSeconds}`;
  const begins: HookEntry = {
    event: 'SessionStart',
    command: hook(`session-start${timed} ${named.join(' ')}`, paths),
    timeout: startSeconds ?? START_SECONDS,
  };
  // a user's profile need not have it
  const guard = withNode('gate-guard.sh', { ...paths, hooksDir: undefined }, ...named);
  const stops = { command: hook(`stop --timeout ${stopSeconds(paths)} ${named.join(' ')}`, paths) };
  return featureEntries(
    {
      checks: () => [
        { event: 'Stop', ...stops, timeout: stopSeconds(paths) },
        begins,
        { event: 'PreToolUse', matcher: 'Bash|Edit|Write', command: guard, timeout: 10 },
      ],
      countdown: () => [
        { event: 'PostToolUse', command: `${script('budget-countdown.sh', paths)} PostToolUse`, timeout: 5 },
        begins,
      ],
      landing: () => [
        { event: 'PreToolUse', matcher: '*', command: withNode('landing.sh', paths, ...named), timeout: 10 },
      ],
    },
    features,
    paths,
  );
}
