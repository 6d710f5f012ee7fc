import { valueAt } from '../../schemas/jsonValue.ts';
import type { World } from '../../system/world.ts';
import { commentedSettings } from '../commentedSettings.ts';
import type { FilesWish, HostPlaces, HostWiring } from '../host.ts';
import { projectScope } from '../scopes.ts';
import { jsonHooks } from '../settings/jsonHooks.ts';
import { geminiEntries } from './entries.ts';
import { isTrusted, projectSettings, userSettings } from './places.ts';

/** By which a person can switch them off. */
const HOOK_NAME = 'stopgate';

/** Measured on 0.61.0: comments are read; a trailing comma ends its start with exit code 52. Timeouts are milliseconds. */
export const GEMINI_SETTINGS = jsonHooks({
  hook: ({ command, timeout }) => ({ type: 'command', name: HOOK_NAME, command, timeout: timeout * 1000 }),
  comments: 'read',
});

export const geminiWiring: HostWiring = {
  files: async ({ scope, features, paths, world }) => [
    {
      file: scope === 'user' ? userSettings(world) : projectSettings(world.cwd),
      within: scope === 'user' ? undefined : world.cwd,
      format: GEMINI_SETTINGS,
      entries: geminiEntries(features, paths),
    },
  ],
  scope: projectScope,
  whyOff,
  notes,
};

/** The settings file that switches our hooks off, all of them or by their name, and a clause about how. */
export function switchedOff(folder: string, world: HostPlaces): { readonly file: string; readonly how: string } | null {
  const files = [projectSettings(folder), userSettings(world)];
  const of = (file: string, name: string) => valueAt(commentedSettings(file), ['hooksConfig', name]);
  const all = files.find((file) => of(file, 'enabled') !== undefined);
  if (all !== undefined && of(all, 'enabled') === false) return { file: all, how: 'hooksConfig.enabled is false' };
  // the lists of both files count
  const named = files.find((file) => {
    const names = of(file, 'disabled');
    return Array.isArray(names) && names.includes(HOOK_NAME);
  });
  return named === undefined ? null : { file: named, how: `hooksConfig.disabled names "${HOOK_NAME}"` };
}

/** A folder that is not trusted yet is asked about when it starts at a terminal. */
export async function whyOff(folder: string, world: World): Promise<string | null> {
  const off = switchedOff(folder, world);
  return off && `Gemini CLI will not run these hooks: ${off.how} in ${off.file}; remove it there.`;
}

async function notes({ scope, features, world }: FilesWish): Promise<readonly string[]> {
  const { cwd } = world;
  return [
    ...(scope !== 'user' && !isTrusted(cwd, world)
      ? [
          `Gemini CLI does not trust ${cwd} yet, and runs no hooks of it until then: start gemini there once, or set GEMINI_CLI_TRUST_WORKSPACE=true for headless runs, which end with exit code 55 otherwise.`,
        ]
      : []),
    ...(features.includes('countdown')
      ? ['After a tool call with an error as its result, Gemini CLI does not show the time left.']
      : []),
    ...(features.includes('checks')
      ? ['model.disableLoopDetection is now true, because answers to the same refusal look like a loop.']
      : []),
  ];
}
