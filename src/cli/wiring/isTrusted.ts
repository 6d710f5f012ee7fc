import { isFolderTrusted } from '../../stop/checks/folderTrust.ts';
import type { World } from '../../system/world.ts';
import type { PromptFlags } from './promptFlags.ts';

/** Whether the project's own files may widen what runs: for this run by flag or variable, or for good by `stopgate trust`. */
export async function isTrusted(flags: Pick<PromptFlags, 'trustProject'>, world: World): Promise<boolean> {
  return flags.trustProject || isFolderTrusted(world.cwd, world);
}
