import path from 'node:path';
import { valueAt } from '../../schemas/jsonValue.ts';
import type { World } from '../../system/world.ts';
import { commentedSettings } from '../commentedSettings.ts';
import type { FilesWish, HostPlaces, HostWiring } from '../host.ts';
import { projectScope, whyAllOff } from '../scopes.ts';
import type { SettingsFormat } from '../settings/format.ts';
import { jsonHooks } from '../settings/jsonHooks.ts';
import { LONGEST_HOOK_SECONDS, qwenEntries } from './entries.ts';

/** Measured on 0.24.4: comments are read; a file with a trailing comma is ignored without a message. Timeouts are seconds. */
const HOOKS = jsonHooks({
  hook: ({ command, timeout }) => ({ type: 'command', name: 'stopgate', command, timeout }),
  comments: 'read',
});

/** It adds the version of its settings to every file when it starts: one that we created and that has only this is empty. */
export const QWEN_SETTINGS: SettingsFormat = {
  ...HOOKS,
  isEmpty: (text) => HOOKS.isEmpty(text) || /^\s*\{\s*"\$version":\s*\d+\s*\}\s*$/.test(text),
};

export const userSettings = ({ homeDir, env }: HostPlaces): string =>
  path.join(env.QWEN_HOME || path.join(homeDir, '.qwen'), 'settings.json');
export const projectSettings = (folder: string): string => path.join(folder, '.qwen', 'settings.json');

export const qwenWiring: HostWiring = {
  files: async ({ scope, features, paths, world }) => [
    {
      file: scope === 'user' ? userSettings(world) : projectSettings(world.cwd),
      within: scope === 'user' ? undefined : world.cwd,
      format: QWEN_SETTINGS,
      entries: qwenEntries(features, paths),
    },
  ],
  scope: projectScope,
  whyOff,
  notes,
};

/** The settings file that switches all hooks off. */
export function offFile(folder: string, world: HostPlaces): string | null {
  const of = (file: string) => valueAt(commentedSettings(file), ['disableAllHooks']);
  const file = [projectSettings(folder), userSettings(world)].find((one) => of(one) !== undefined);
  return file !== undefined && of(file) === true ? file : null;
}

export async function whyOff(folder: string, world: World): Promise<string | null> {
  return whyAllOff('Qwen Code', offFile(folder, world));
}

async function notes({ features, paths }: FilesWish): Promise<readonly string[]> {
  const { startSeconds } = paths;
  return [
    ...(features.includes('checks')
      ? [
          'Qwen Code ends a run whose hook takes more than 60s: checks that take longer go on while its agent is asked to stop again, every 45s.',
          'stopHookBlockingCap is now 100, the most that Qwen Code allows: after 100 refused stops in a row the turn ends in any case.',
        ]
      : []),
    ...(features.includes('checks') && (startSeconds ?? 0) > LONGEST_HOOK_SECONDS
      ? ['Checks with "baseline": "session" have only 45s when a session starts, for the same reason.']
      : []),
  ];
}
