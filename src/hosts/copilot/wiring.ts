import path from 'node:path';
import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { textIn } from '../../system/readTextFile.ts';
import type { World } from '../../system/world.ts';
import type { HostWiring, SettingsScope } from '../host.ts';
import { userNote, userScope, whyAllOff } from '../scopes.ts';
import { isHook } from '../settings/format.ts';
import { ownFile } from '../settings/ownFile.ts';
import { copilotEntries, hooksText } from './entries.ts';
import { copilotHome, HOOKS_NAME } from './standsAside.ts';

const COPILOT_HOOKS = ownFile((entries) => hooksText(entries.filter(isHook)));

export const copilotWiring: HostWiring = {
  files: async ({ scope, features, paths, world }) => [
    {
      file: hooksFile(scope, world),
      within: scope === 'project' ? world.cwd : undefined,
      format: COPILOT_HOOKS,
      entries: copilotEntries(features, paths, scope === 'project' ? 'project' : 'user'),
    },
  ],
  scope: userScope,
  whyOff: async (folder, world) => whyAllOff('Copilot CLI', offFile(folder, world)),
  notes: async ({ scope, asked, features }) => [
    ...(asked === 'user' ? [] : [scope === 'project' ? PROJECT_NOTE : userNote('Copilot CLI')]),
    ...(features.includes('checks') ? [CAP_NOTE] : []),
  ],
};

export const hooksFile = (
  scope: SettingsScope,
  { cwd, homeDir, env }: Pick<World, 'cwd' | 'homeDir' | 'env'>,
): string =>
  path.join(scope === 'project' ? path.join(cwd, '.github') : copilotHome({ HOME: homeDir, ...env }), HOOKS_NAME);

const PROJECT_NOTE =
  'Copilot CLI runs the hooks of a folder only when it trusts the folder: answer its question, or pass --trust-folder when it runs headless.';
const CAP_NOTE =
  'Copilot CLI lets its agent stop at the ninth refusal of one prompt; under `stopgate launch --agent copilot` its session then goes on.';

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
    const settings = jsonValue(textIn(file));
    return isObject(settings) && settings.disableAllHooks === true;
  });
  return off ?? null;
}
