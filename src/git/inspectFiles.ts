import { constants, type Dirent, type Stats } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import type { LeftOut } from './leftOut.ts';
import { mapInBatches } from './onDisk.ts';
import { absolutePath, shownPath } from './quotedPath.ts';

export interface InspectedFile {
  readonly path: string;
  readonly bytes: number;
  /** None of a link. */
  readonly permissions?: number;
}

/** The files at some paths, and those that git cannot read. Paths that no longer exist are skipped. */
export async function inspectFiles(
  topLevel: string,
  paths: readonly string[],
): Promise<{ readonly files: readonly InspectedFile[]; readonly leftOut: readonly LeftOut[] }> {
  const files: InspectedFile[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of await mapInBatches(paths, (path) => inspect(topLevel, path))) {
    if (file && 'reason' in file) leftOut.push(file);
    else if (file) files.push(file);
  }
  return { files, leftOut };
}

async function inspect(topLevel: string, path: string): Promise<InspectedFile | LeftOut | undefined> {
  const absolute = absolutePath(topLevel, path);
  const entry = await lstat(absolute).catch(() => undefined);
  if (!entry) return undefined;
  const unfit = whyUnfit(entry);
  if (unfit !== undefined)
    return { path: shownPath(path), reason: unfit, ...(!entry.isDirectory() && { isEmpty: true }) };
  const reason = await whyUnreadable(absolute, entry);
  if (reason !== undefined) return { path: shownPath(path), reason };
  return { path, bytes: entry.size, ...(entry.isFile() && { permissions: entry.mode & 0o7777 }) };
}

/** Git stores only files and links. A pipe in place of a tracked file would fail the whole command. */
export function whyUnfit(entry: Stats | Dirent<Buffer>): string | undefined {
  if (entry.isFile() || entry.isSymbolicLink()) return undefined;
  if (entry.isFIFO()) return 'a named pipe, not a file';
  if (entry.isSocket()) return 'a socket, not a file';
  return entry.isDirectory() ? 'a folder where a file was' : 'a device, not a file';
}

async function whyUnreadable(absolute: Buffer, entry: Stats): Promise<string | undefined> {
  if (entry.isSymbolicLink()) return undefined;
  const error = await access(absolute, constants.R_OK).catch((problem: NodeJS.ErrnoException) => problem);
  // gone in between is not unreadable
  return error && error.code !== 'ENOENT' ? 'it may not be read' : undefined;
}
