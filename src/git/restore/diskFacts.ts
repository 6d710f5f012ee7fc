import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { mapInBatches } from '../onDisk.ts';
import { absolutePath, foldersAbove, pathBytes } from '../quotedPath.ts';
import { type DiskFact, keyOf } from './decideRestore.ts';

const MAX_FILES_BELOW = 10_000;

/** What is on disk at each path, and a mark that changes when the file is written to. */
export interface Disk {
  fact(path: string): DiskFact;
  mark(path: string): string;
}

export async function readDisk(topLevel: string, paths: readonly string[]): Promise<Disk> {
  const found = new Map(await mapInBatches(paths, async (path) => [path, await readPath(topLevel, path)] as const));
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

/** Size, time, inode and mode: by these git itself detects a change. */
export const markOf = ({ size, mtimeNs, ino, mode }: BigIntStats): string => `${size} ${mtimeNs} ${ino} ${mode}`;

/** The first entry above a path that is not a folder: a write through a link would go elsewhere. */
async function blocker(topLevel: string, path: string): Promise<string | undefined> {
  for (const above of foldersAbove(pathBytes(path))) {
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
    // a folder that cannot be read may have files
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
