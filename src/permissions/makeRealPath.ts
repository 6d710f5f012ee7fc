import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** As many links as Linux follows before it calls it a circle. */
const MAX_LINKS = 40;

/**
 * Where paths really lead, also when nothing is there yet; what cannot be looked at stays as it is. Each folder is
 * looked up once, because one command line may name thousands of paths below the same one.
 */
export function makeRealPath(): (path: string) => string {
  const known = new Map<string, string>();
  const missing = new Set<string>();
  return (path) => real(resolve(path), MAX_LINKS);

  function real(path: string, links: number): string {
    const parent = dirname(path);
    if (parent === path) return path;
    const before = known.get(path);
    if (before !== undefined) return before;
    const folder = real(parent, links);
    const place = join(folder, basename(path));
    const target = links === 0 || missing.has(folder) ? undefined : linkTarget(place);
    if (target === null || missing.has(folder)) missing.add(place);
    const found = typeof target === 'string' ? real(resolve(folder, target), links - 1) : place;
    known.set(path, found);
    return found;
  }
}

/** Null when nothing is there, undefined when it is not a link. */
function linkTarget(path: string): string | null | undefined {
  try {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return null;
    return facts.isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
