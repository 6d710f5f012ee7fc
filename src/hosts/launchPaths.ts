import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { startHookSeconds, stopHookSeconds } from '../stop/checks/hookTime.ts';
import { readConfig } from '../stop/checks/readConfig.ts';
import { packageRoot } from '../system/packageRoot.ts';
import { UserError } from '../system/userError.ts';
import { entryPaths } from './entryCommands.ts';
import type { EntryPaths, WiringWish } from './host.ts';

/** What the entries of a launch are made of: its profile, and time for the checks of the folder. */
export async function launchPaths({ profile, folder, world }: WiringWish): Promise<EntryPaths> {
  const hooksDir = await resolveProfile(profile, world);
  return { ...entryPaths(), hooksDir, ...(await hookSecondsIn(folder)) };
}

/** Time for the checks of a folder, else the usual time. */
export async function hookSecondsIn(folder: string | null) {
  const config = folder === null ? null : await readConfig(folder);
  const checks = config?.type === 'config' ? config.done.checks : [];
  return { stopSeconds: stopHookSeconds(checks), startSeconds: startHookSeconds(checks) };
}

/**
 * The real path of the folder with a profile's hooks, for an agent's settings. A person's own profile takes precedence over
 * ours of the same name.
 */
async function resolveProfile(name: string, world: WiringWish['world']): Promise<string> {
  const places = name.includes('/')
    ? [path.resolve(world.cwd, name)]
    : [path.join(world.stopgateHome, 'profiles', name), path.join(packageRoot(), 'profiles', name)];
  for (const place of places) {
    const hooks = await realpath(path.join(place, 'hooks')).catch(() => null);
    if (hooks && (await stat(hooks)).isDirectory()) return hooks;
  }
  throw new UserError(`Profile ${name} was not found: no folder hooks in ${places.join(' or ')}.`);
}
