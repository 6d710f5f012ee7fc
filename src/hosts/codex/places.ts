import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { World } from '../../system/world.ts';
import type { HostPlaces, SettingsScope } from '../host.ts';

const codexHome = ({ homeDir, env }: HostPlaces): string => env.CODEX_HOME || path.join(homeDir, '.codex');

export const hooksFile = (scope: SettingsScope, world: Pick<World, 'cwd' | 'homeDir' | 'env'>): string =>
  path.join(scope === 'project' ? path.join(world.cwd, '.codex') : codexHome(world), 'hooks.json');

export const configFile = (world: HostPlaces): string => path.join(codexHome(world), 'config.toml');

/** Codex knows the file by its path as given or by its real path, depending on how it was started. */
export async function namesOf(file: string): Promise<readonly string[]> {
  const folder = path.dirname(file);
  const real = await realpath(folder).catch(() => folder);
  return [...new Set([file, path.join(real, path.basename(file))])];
}
