import { loadSettings } from '../../session/settings/loadSettings.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import type { PromptFlags } from './promptFlags.ts';

type Flags = Pick<PromptFlags, 'settings' | 'settingSources'>;

/**
 * The settings of this run: all files, or those that the flags name. What `--settings` names must be there and be read:
 * it may hold the very rules that this run was meant to keep to.
 */
export async function readSettings(flags: Flags, world: World, trusted: boolean): Promise<LoadedSettings> {
  const loaded = await loadSettings({
    projectDir: world.cwd,
    homeDir: world.homeDir,
    env: world.env,
    trusted,
    ...(flags.settings ? { flagSettings: flags.settings } : {}),
    ...(flags.settingSources ? { sources: flags.settingSources } : {}),
  });
  const refused = flags.settings && !loaded.layers.some(({ source }) => source === 'flag');
  if (refused) throw new UserError(loaded.problems.at(-1)?.message ?? '--settings holds no settings.');
  return loaded;
}
