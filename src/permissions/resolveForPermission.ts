import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import type { PermissionRequest } from './types.ts';

/** As many links as Linux follows before it calls it a circle. */
const MAX_LINKS = 40;

/**
 * Where a path really leads, also when nothing is there yet: a link to a file that does not exist would create that
 * file. What cannot be looked at stays as it is; using it will fail anyway.
 */
export async function resolveForPermission(path: string, links = MAX_LINKS): Promise<string> {
  const full = resolve(path);
  try {
    return await realpath(full);
  } catch {
    if (links === 0 || dirname(full) === full) return full;
    const folder = await resolveForPermission(dirname(full), links - 1);
    const place = resolve(folder, basename(full));
    const facts = await lstat(place).catch(() => undefined);
    if (!facts?.isSymbolicLink()) return place;
    return resolveForPermission(resolve(folder, await readlink(place)), links - 1);
  }
}

/** Adds where a request's path leads; the loop calls it between the tool's `permission` and `decidePermission`. */
export async function resolveRequest(request: PermissionRequest): Promise<PermissionRequest> {
  if (request.type !== 'read' && request.type !== 'edit') return request;
  return { ...request, resolvedPath: await resolveForPermission(request.path) };
}

/** Folders as given and as they resolve: a project under a linked folder is inside itself either way. */
export async function resolveDirectories(directories: readonly string[]): Promise<readonly string[]> {
  const resolved = await Promise.all(directories.map((directory) => resolveForPermission(directory)));
  return [...new Set([...directories.map((directory) => resolve(directory)), ...resolved])];
}
