import path from 'node:path';
import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import type { World } from '../../system/world.ts';
import type { FilesWish, HostWiring, SettingsScope } from '../host.ts';
import { isHook } from '../settings/format.ts';
import { ownFile } from '../settings/ownFile.ts';
import { copilotEntries, hooksText } from './entries.ts';
import { copilotHome, HOOKS_NAME } from './standsAside.ts';

const COPILOT_HOOKS = ownFile({ render: (entries) => hooksText(entries.filter(isHook)) });

export const copilotWiring: HostWiring = {
  files: async ({ scope, features, paths, world }) => [
    {
      file: hooksFile(scope, world),
      within: scope === 'project' ? world.cwd : undefined,
      format: COPILOT_HOOKS,
      entries: copilotEntries(features, paths, scope === 'project' ? 'project' : 'user'),
    },
  ],
  // it has no settings of one person in one folder
  scope: (asked) => (asked === 'local' ? 'user' : asked),
  whyOff,
  notes,
};

export const hooksFile = (
  scope: SettingsScope,
  { cwd, homeDir, env }: Pick<World, 'cwd' | 'homeDir' | 'env'>,
): string =>
  path.join(scope === 'project' ? path.join(cwd, '.github') : copilotHome({ HOME: homeDir, ...env }), HOOKS_NAME);

const NOTES: Readonly<Record<SettingsScope, string>> = {
  user: 'Copilot CLI has no settings for you in this folder alone: these hooks are for all your folders, and checks run where a stopgate.config.json is trusted.',
  local: '',
  project:
    'Copilot CLI runs the hooks of a folder only when it trusts the folder: answer its question, or pass --trust-folder when it runs headless.',
};
const CAP_NOTE =
  'Copilot CLI lets its agent stop at the ninth refusal of one prompt; under `stopgate launch --agent copilot` its session then goes on.';

async function notes({ scope, asked, features }: FilesWish): Promise<readonly string[]> {
  return [...(asked === 'user' ? [] : [NOTES[scope]]), ...(features.includes('checks') ? [CAP_NOTE] : [])];
}

const LARGEST_BYTES = 1_000_000;

/** The settings file that switches all hooks off. */
export function offFile(folder: string, { homeDir, env }: Pick<World, 'homeDir' | 'env'>): string | null {
  const home = copilotHome({ HOME: homeDir, ...env });
  const files = [
    path.join(home, 'settings.json'),
    path.join(home, 'config.json'),
    path.join(folder, '.github/copilot/settings.json'),
    path.join(folder, '.github/copilot/settings.local.json'),
    // it reads those of Claude Code too
    path.join(folder, '.claude/settings.json'),
    path.join(folder, '.claude/settings.local.json'),
  ];
  const off = files.find((file) => {
    const read = readTextFileSync(file, LARGEST_BYTES);
    const settings = read.type === 'read' ? jsonValue(read.text) : undefined;
    return isObject(settings) && settings.disableAllHooks === true;
  });
  return off ?? null;
}

async function whyOff(folder: string, world: World): Promise<string | null> {
  const off = offFile(folder, world);
  return off === null
    ? null
    : `Copilot CLI will not run these hooks: disableAllHooks is set in ${off}; remove it there.`;
}
