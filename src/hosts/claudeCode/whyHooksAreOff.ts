import { loadSettings } from '../../session/settings/loadSettings.ts';
import type { SettingsLayer } from '../../session/settings/types.ts';
import { TRUSTED } from '../../session/trust/folderTrust.ts';
import { stopgateHome } from '../../system/stopgateHome.ts';
import type { World } from '../../system/world.ts';

/** Settings that keep our entries from running, and what to do about each. */
const SWITCHES = [
  { key: 'disableAllHooks', managed: 'ask your administrator', own: 'remove it there' },
  { key: 'allowManagedHooksOnly', managed: "only your administrator's hooks run", own: null },
] as const;

/** Why Claude Code will not run the hooks of its settings files in a folder; null when it will. */
export async function whyHooksAreOff(folder: string, world: Pick<World, 'homeDir' | 'env'>): Promise<string | null> {
  const { layers } = await loadSettings({ projectDir: folder, homeDir: world.homeDir, env: world.env, trust: TRUSTED });
  // our own settings file is not one of Claude Code's
  const own = stopgateHome({ ...world.env, HOME: world.homeDir });
  const read = layers.filter(({ file }) => !file.startsWith(`${own}/`));
  for (const { key, managed, own: advice } of SWITCHES) {
    const layer = decidingLayer(read, key);
    const words = layer?.source === 'managed' ? managed : advice;
    if (layer?.settings[key] === true && words !== null) {
      return `Claude Code will not run these hooks: ${key} is set in ${layer.file}; ${words}.`;
    }
  }
  return null;
}

/** Managed settings win, otherwise the file with the highest precedence. */
function decidingLayer(
  layers: readonly SettingsLayer[],
  key: (typeof SWITCHES)[number]['key'],
): SettingsLayer | undefined {
  const setting = layers.filter(({ settings }) => settings[key] !== undefined);
  return setting.findLast(({ source, settings }) => source === 'managed' && settings[key] === true) ?? setting.at(-1);
}
