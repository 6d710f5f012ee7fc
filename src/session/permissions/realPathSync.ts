import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As many links as Linux follows before it calls it a circle. */
const MAX_LINKS = 40;

/** Where a path really leads, also when nothing is there yet; what cannot be looked at stays as it is. */
export function realPathSync(path: string, links = MAX_LINKS): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links === 0) return path;
    const place = join(realPathSync(parent, links - 1), basename(path));
    const target = linkTarget(place);
    return target === undefined ? place : realPathSync(resolve(dirname(place), target), links - 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
