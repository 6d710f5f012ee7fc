import { lstat } from 'node:fs/promises';
import { absolutePath, pathBytes, quotePath } from './quotedPath.ts';

const AT_ONCE = 64;

/** Which of these paths something other than a folder is at. A path behind a symbolic link names another file. */
export async function onDisk(topLevel: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const isFolder = new Map<string, Promise<boolean>>();
  const reached = (folder: string): Promise<boolean> => {
    const known = isFolder.get(folder) ?? isRealFolder(topLevel, folder);
    isFolder.set(folder, known);
    return known;
  };
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const some = paths.slice(start, start + AT_ONCE);
    const there = await Promise.all(some.map((path) => isAt(topLevel, path, reached)));
    for (const [index, path] of some.entries()) if (there[index]) found.add(path);
  }
  return found;
}

async function isAt(topLevel: string, path: string, reached: (folder: string) => Promise<boolean>): Promise<boolean> {
  const bytes = pathBytes(path);
  for (let at = bytes.indexOf('/'); at !== -1; at = bytes.indexOf('/', at + 1)) {
    if (!(await reached(quotePath(bytes.subarray(0, at))))) return false;
  }
  const entry = await lstat(absolutePath(topLevel, path)).catch(() => undefined);
  return entry !== undefined && !entry.isDirectory();
}

const isRealFolder = async (topLevel: string, folder: string) =>
  (await lstat(absolutePath(topLevel, folder)).catch(() => undefined))?.isDirectory() ?? false;
