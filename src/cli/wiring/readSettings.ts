import { loadSettings } from '../../session/settings/loadSettings.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { type FolderTrust, TRUSTED } from '../../session/trust/folderTrust.ts';
import { trustOf } from '../../stop/checks/folderTrust.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import type { PromptFlags } from './promptFlags.ts';

type Flags = Pick<PromptFlags, 'settings' | 'settingSources'>;

/** How far the project's own files may extend what runs: for this run by flag or variable, or as `stopgate trust` approved. */
export const projectTrust = (flags: Pick<PromptFlags, 'trustProject'>, world: World): FolderTrust =>
  flags.trustProject ? TRUSTED : trustOf(world.cwd, world);

/** The settings of this run. `--settings` must be readable: it may contain rules that this run must obey. */
export async function readSettings(flags: Flags, world: World, trust: FolderTrust): Promise<LoadedSettings> {
  const loaded = await loadSettings({
    projectDir: world.cwd,
    homeDir: world.homeDir,
    env: world.env,
    trust,
    ...(flags.settings ? { flagSettings: flags.settings } : {}),
    ...(flags.settingSources ? { sources: flags.settingSources } : {}),
  });
  const refused = flags.settings && !loaded.layers.some(({ source }) => source === 'flag');
  if (refused) throw new UserError(loaded.problems.at(-1)?.message ?? '--settings contains no settings.');
  return loaded;
}
