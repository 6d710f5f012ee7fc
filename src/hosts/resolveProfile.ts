import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../system/packageRoot.ts';
import { UserError } from '../system/userError.ts';

/**
 * The folder with a profile's hooks, without symbolic links: people link a profile into their home, agents change
 * folders, and an agent's settings must name what is really there. A person's own profile wins over ours of that name.
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
  throw new UserError(`There is no profile ${name} with a folder hooks; looked in ${places.join(' and ')}.`);
}
