import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder of the installed package, with examples and profiles; works from the sources and from the bundle. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('the package folder of stopgate was not found');
    folder = parent;
  }
  return folder;
}
