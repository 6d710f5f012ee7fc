import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../../schemas/json.ts';
import { IDLE_KEYS, IDLE_VARIABLES } from '../../session/settings/claudeCodeNames.ts';
import { claudeConfigDir } from '../../session/settings/settingsFiles.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { ownValue } from '../../system/ownValue.ts';
import type { World } from '../../system/world.ts';

/** Names what has an effect in Claude Code and none here. */
export async function idleNote(settings: LoadedSettings, world: World): Promise<string | undefined> {
  const env = { ...world.env, ...settings.merged.env };
  const keys = idleKeys(settings);
  const variables = IDLE_VARIABLES.filter((name) => (env[name] ?? '') !== '');
  const parts = [
    ...(keys.length > 0 ? [`settings ${keys.join(', ')}`] : []),
    ...(variables.length > 0 ? [`variables ${variables.join(', ')}`] : []),
    ...((await hasSkills(world)) ? ['skills (only as /NAME in a prompt; the agent does not choose them)'] : []),
  ];
  if (parts.length === 0) return undefined;
  return `No effect here, unlike in Claude Code: ${parts.join('; ')} (see docs/claude-code-settings.md).`;
}

/** Keys whose value matches what happens anyway. */
const HARMLESS: Readonly<Record<string, (value: unknown) => boolean>> = {
  // nothing is added to commits here
  includeCoAuthoredBy: (value) => value === false,
};

/** From the text of the files, including the ignored settings of an untrusted project. */
function idleKeys({ layers }: Pick<LoadedSettings, 'layers'>): readonly string[] {
  const set = layers.flatMap(({ text }) => {
    const json = parseJson(text);
    return json.type === 'broken' || typeof json.value !== 'object' ? [] : Object.entries(json.value ?? {});
  });
  const idle = set.filter(([key, value]) => IDLE_KEYS.includes(key) && !ownValue(HARMLESS, key)?.(value));
  return [...new Set(idle.map(([key]) => key))].toSorted();
}

async function hasSkills(world: World): Promise<boolean> {
  const folders = [path.join(world.cwd, '.claude'), claudeConfigDir(world)].map((one) => path.join(one, 'skills'));
  const found = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return found.some((names) => names.length > 0);
}
