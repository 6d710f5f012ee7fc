import { readdir, stat } from 'node:fs/promises';

export type PathContent =
  | { readonly type: 'file' }
  | { readonly type: 'folder'; readonly names: readonly string[]; readonly leftOut: number }
  | { readonly type: 'missing' };

const MAX_NAMES = 1000;

/** What a path leads to; for a folder, its names. */
export async function pathContent(path: string): Promise<PathContent> {
  const facts = await stat(path).catch(() => null);
  if (facts === null) return { type: 'missing' };
  if (!facts.isDirectory()) return { type: 'file' };
  const names = (await readdir(path).catch(() => [])).sort();
  return { type: 'folder', names: names.slice(0, MAX_NAMES), leftOut: Math.max(0, names.length - MAX_NAMES) };
}
