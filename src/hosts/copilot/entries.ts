import type { HookEntry } from '../../schemas/settingsHold.ts';
import { START_SECONDS } from '../../stop/checks/hookTime.ts';
import { type FeatureRows, featureEntries, hook, script, stopSeconds, withNode } from '../entryCommands.ts';
import type { EntryPaths, HostFeature } from '../host.ts';
import { type EntrySource, FROM } from './entrySource.ts';

const HOST = ['--host', 'copilot'];

/** Spelled like this, its events are like those of Claude Code; in camel case they are not. */
const rowsOf = (source: EntrySource): FeatureRows => {
  const flags = [...HOST, FROM, source].join(' ');
  const sessionStart = (paths: EntryPaths): readonly HookEntry[] => {
    const { startSeconds = null } = paths;
    const timed = startSeconds === null ? '' : ` --timeout ${startSeconds}`;
    const command = hook(`session-start${timed} ${flags}`, paths);
    return [{ event: 'SessionStart', command, timeout: startSeconds ?? START_SECONDS }];
  };
  const countdown = (event: string, paths: EntryPaths): HookEntry => ({
    event,
    command: `${script('budget-countdown.sh', paths)} ${event} top`,
    timeout: 5,
  });
  return {
    checks: (paths) => [
      {
        event: 'Stop',
        command: hook(`stop --timeout ${stopSeconds(paths)} ${flags}`, paths),
        timeout: stopSeconds(paths),
      },
      ...sessionStart(paths),
      {
        event: 'PreToolUse',
        command: withNode('gate-guard.sh', { ...paths, hooksDir: undefined }, ...HOST),
        timeout: 10,
      },
    ],
    countdown: (paths) => [
      countdown('PostToolUse', paths),
      countdown('PostToolUseFailure', paths),
      ...sessionStart(paths),
    ],
    landing: (paths) => [{ event: 'PreToolUse', command: withNode('landing.sh', paths, ...HOST), timeout: 10 }],
  };
};

export const copilotEntries = (
  features: readonly HostFeature[],
  paths: EntryPaths,
  source: EntrySource,
): readonly HookEntry[] => featureEntries(rowsOf(source), features, paths);

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
