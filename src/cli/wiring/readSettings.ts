import { loadSettings } from '../../session/settings/loadSettings.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { isFolderTrusted } from '../../stop/checks/folderTrust.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import type { PromptFlags } from './promptFlags.ts';

type Flags = Pick<PromptFlags, 'settings' | 'settingSources'>;

/** Whether the project's own files may extend what runs: for this run by flag or variable, or always by `stopgate trust`. */
export async function isTrusted(flags: Pick<PromptFlags, 'trustProject'>, world: World): Promise<boolean> {
  return flags.trustProject || isFolderTrusted(world.cwd, world);
}

/** The settings of this run. `--settings` must be readable: it may contain rules that this run must obey. */
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
  if (refused) throw new UserError(loaded.problems.at(-1)?.message ?? '--settings contains no settings.');
  return loaded;
}
