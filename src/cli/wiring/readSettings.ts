import { loadSettings } from '../../session/settings/loadSettings.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import type { PromptFlags } from '../promptFlags.ts';
import type { World } from '../world.ts';

type Flags = Pick<PromptFlags, 'settings' | 'settingSources'>;

/** The settings of this run: all files, or those that the flags name. */
export function readSettings(flags: Flags, world: World, trusted: boolean): Promise<LoadedSettings> {
  return loadSettings({
    projectDir: world.cwd,
    homeDir: world.homeDir,
    env: world.env,
    trusted,
    ...(flags.settings ? { flagSettings: flags.settings } : {}),
    ...(flags.settingSources ? { sources: flags.settingSources } : {}),
  });
}
