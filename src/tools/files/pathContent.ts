import { readdir, stat } from 'node:fs/promises';

/** What a path leads to, as far as it can be shown. */
export type PathContent =
  | { readonly type: 'file' }
  | { readonly type: 'folder'; readonly names: readonly string[]; readonly leftOut: number }
  | { readonly type: 'missing' };

const MAX_NAMES = 1000;

/** Whether there is a file at a path; of a folder, what is in it. */
export async function pathContent(path: string): Promise<PathContent> {
  const facts = await stat(path).catch(() => null);
  if (facts === null) return { type: 'missing' };
  if (!facts.isDirectory()) return { type: 'file' };
  const names = (await readdir(path).catch(() => [])).sort();
  return { type: 'folder', names: names.slice(0, MAX_NAMES), leftOut: Math.max(0, names.length - MAX_NAMES) };
}
