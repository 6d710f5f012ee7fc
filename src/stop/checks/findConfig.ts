import { existsSync } from 'node:fs';
import path from 'node:path';
import { isThere } from '../../system/isThere.ts';

export const CONFIG_NAME = 'stopgate.config.json';

/**
 * The file with the definition of done for a folder: its own, or that of the nearest folder above it in the repository; null
 * without one. Called at every stop, so it loads nothing.
 */
export function findConfig(folder: string): string | null {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, CONFIG_NAME);
    // a dangling link is an error to report, not a missing file
    if (isThere(file)) return file;
    // a folder above the repository is not part of the project
    if (existsSync(path.join(at, '.git')) || path.dirname(at) === at) return null;
  }
}
