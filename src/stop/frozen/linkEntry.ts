import { statSync } from 'node:fs';
import * as files from 'node:fs/promises';
import path from 'node:path';

/** A folder becomes a real one whose entries are links: what empties it in the copy removes links. */
export async function linkEntry(from: string, to: string): Promise<void> {
  const [source, target] = [from, to].map((one) => one.replace(/\/$/, '')) as [string, string];
  await files.mkdir(path.dirname(target), { recursive: true });
  if (!statSync(source, { throwIfNoEntry: false })?.isDirectory()) return link(source, target);
  await files.mkdir(target, { recursive: true });
  await linkChildren(source, target);
}

export async function linkChildren(source: string, target: string): Promise<void> {
  for (const name of await files.readdir(source).catch(() => [])) {
    await link(path.join(source, name), path.join(target, name));
  }
}

async function link(source: string, target: string): Promise<void> {
  await files.symlink(source, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
