import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../system/packageRoot.ts';
import { UserError } from '../system/userError.ts';

/**
 * The real path of the folder with a profile's hooks, for an agent's settings. A person's own profile takes precedence over
 * ours of the same name.
 */
export async function resolveProfile(
  name: string,
  world: { readonly stopgateHome: string; readonly cwd: string },
): Promise<string> {
  const places = name.includes('/')
    ? [path.resolve(world.cwd, name)]
    : [path.join(world.stopgateHome, 'profiles', name), path.join(packageRoot(), 'profiles', name)];
  for (const place of places) {
    const hooks = await realpath(path.join(place, 'hooks')).catch(() => null);
    if (hooks && (await stat(hooks)).isDirectory()) return hooks;
  }
  throw new UserError(`Profile ${name} was not found: no folder hooks in ${places.join(' or ')}.`);
}
