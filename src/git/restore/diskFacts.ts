import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { absolutePath, pathBytes } from '../quotedPath.ts';
import { type DiskFact, keyOf } from './decideRestore.ts';

const AT_ONCE = 64;
const MAX_FILES_BELOW = 10_000;

/** What is on disk at each path, and a mark that is another one when the file was written to. */
export interface Disk {
  fact(path: string): DiskFact;
  mark(path: string): string;
}

export async function readDisk(topLevel: string, paths: readonly string[]): Promise<Disk> {
  const found = new Map<string, { readonly fact: DiskFact; readonly mark: string }>();
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    await Promise.all(
      paths.slice(start, start + AT_ONCE).map(async (path) => found.set(path, await readPath(topLevel, path))),
    );
  }
  return {
    fact: (path) => found.get(path)?.fact ?? { type: 'nothing' },
    mark: (path) => found.get(path)?.mark ?? '',
  };
}

async function readPath(topLevel: string, path: string): Promise<{ readonly fact: DiskFact; readonly mark: string }> {
  const by = await blocker(topLevel, path);
  if (by !== undefined) return { fact: { type: 'blocked', by }, mark: '' };
  const entry = await lstat(absolutePath(topLevel, path), { bigint: true }).catch(() => undefined);
  if (entry === undefined) return { fact: { type: 'nothing' }, mark: '' };
  if (!entry.isDirectory()) return { fact: { type: 'file' }, mark: markOf(entry) };
  return { fact: { type: 'folder', files: await filesBelow(absolutePath(topLevel, path), keyOf(path)) }, mark: '' };
}

/** Size, time and inode: what git itself takes for a sign of change. */
export const markOf = ({ size, mtimeNs, ino, mode }: BigIntStats): string => `${size} ${mtimeNs} ${ino} ${mode}`;

/** The nearest thing above a path that is not a folder: through a link we would write somewhere else. */
async function blocker(topLevel: string, path: string): Promise<string | undefined> {
  const bytes = pathBytes(path);
  for (let at = bytes.indexOf('/'); at !== -1; at = bytes.indexOf('/', at + 1)) {
    const above = bytes.subarray(0, at);
    const entry = await lstat(Buffer.concat([Buffer.from(`${topLevel}/`), above])).catch(() => undefined);
    if (entry === undefined) return undefined;
    if (!entry.isDirectory()) return above.toString('latin1');
  }
  return undefined;
}

async function filesBelow(folder: Buffer, key: string): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [{ folder, key }];
  while (waiting.length > 0 && files.length < MAX_FILES_BELOW) {
    const at = waiting.pop() as { folder: Buffer; key: string };
    const entries = await readdir(at.folder, { withFileTypes: true, encoding: 'buffer' }).catch(() => undefined);
    // what cannot be looked into has files for all we know
    if (entries === undefined) files.push(`${at.key}/?`);
    for (const entry of entries ?? []) {
      const below = `${at.key}/${entry.name.toString('latin1')}`;
      const path = Buffer.concat([at.folder, Buffer.from('/'), entry.name]);
      if (entry.isDirectory()) waiting.push({ folder: path, key: below });
      else files.push(below);
    }
  }
  return files;
}
