import { readdir, stat } from 'node:fs/promises';

const MAX_NAMES = 1000;

/** What a path leads to; for a folder, its names. */
export async function pathContent(path: string) {
  const facts = await stat(path).catch(() => null);
  if (facts === null) return { type: 'missing' } as const;
  if (!facts.isDirectory()) return { type: 'file' } as const;
  const names = (await readdir(path).catch(() => [])).sort();
  const leftOut = Math.max(0, names.length - MAX_NAMES);
  return { type: 'folder', names: names.slice(0, MAX_NAMES), leftOut } as const;
}
