import { lstatSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from '../system/attempt.ts';
import type { PermissionRequest } from './types.ts';

/** As many links as Linux follows before it calls it a circle. */
const MAX_LINKS = 40;

/**
 * Where paths really lead, also when nothing is there yet: a link to a file that does not exist would create that file.
 * What cannot be looked at stays as it is. Each folder is looked up once, because one command line may name thousands
 * of paths below the same one.
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
  return attempt(() => {
    const facts = lstatSync(path, { throwIfNoEntry: false });
    if (facts === undefined) return null;
    return facts.isSymbolicLink() ? readlinkSync(path) : undefined;
  }, undefined);
}

/** Adds where a request's path leads; the loop calls it between the tool's `permission` and `decidePermission`. */
export function resolveRequest(request: PermissionRequest): PermissionRequest {
  return 'path' in request ? { ...request, resolvedPath: makeRealPath()(request.path) } : request;
}

/** Folders as given and as they resolve: a project under a linked folder is inside itself either way. */
export function resolveDirectories(directories: readonly string[]): readonly string[] {
  return [...new Set([...directories.map((directory) => resolve(directory)), ...directories.map(makeRealPath())])];
}
