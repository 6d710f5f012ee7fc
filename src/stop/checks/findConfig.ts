import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';

export const CONFIG_NAME = 'stopgate.config.json';

/**
 * The file with the definition of done that holds for a folder: its own, or that of the nearest one above it in the
 * repository; null when there is none. Asked at every stop, mostly in vain, so it loads nothing.
 */
export function findConfig(folder: string): string | null {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, CONFIG_NAME);
    // a link that leads nowhere is a mistake to be told, not an absence
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return file;
    // a folder above the repository belongs to somebody else
    if (existsSync(path.join(at, '.git')) || path.dirname(at) === at) return null;
  }
}
