import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What tools make and keep: large, and its changes are nobody's work. */
const HEAVY = new Set([
  '.cache',
  '.git',
  '.gradle',
  '.hg',
  '.mypy_cache',
  '.next',
  '.pytest_cache',
  '.ruff_cache',
  '.stopgate',
  '.svn',
  '.tox',
  '.venv',
  '__pycache__',
  'node_modules',
  'target',
  'venv',
]);

/** After so many entries the rest does not count: this must end in a moment in anybody's home folder. */
export const MAX_ENTRIES = 20_000;

export interface FolderDigest {
  readonly digest: string;
  /** False when there was more than could be looked at. */
  readonly isWhole: boolean;
}

/** A digest of names, sizes and times under a folder, for where there is no git to ask. Links are not followed. */
export async function folderDigest(folder: string, maxEntries = MAX_ENTRIES): Promise<FolderDigest> {
  const hash = createHash('sha256');
  const waiting = [''];
  let left = maxEntries;
  let isWhole = true;
  // breadth first: what is near the top is what a person works on
  let at = 0;
  for (; at < waiting.length && left > 0; at++) {
    const under = waiting[at] ?? '';
    const entries = await readdir(join(folder, under), { withFileTypes: true }).catch(() => []);
    const names = entries.filter(({ name }) => !HEAVY.has(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const seen = names.slice(0, left);
    left -= seen.length;
    if (seen.length < names.length) isWhole = false;
    const states = await Promise.all(seen.map(({ name }) => state(join(folder, under, name))));
    for (const [index, entry] of seen.entries()) {
      const path = join(under, entry.name);
      hash.update(`${path}\0${states[index]}\0`);
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return { digest: hash.digest('hex'), isWhole: isWhole && at === waiting.length };
}

async function state(path: string): Promise<string> {
  const entry = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!entry) return 'gone';
  // a folder's own time changes with a temporary file in it that is gone again
  return entry.isDirectory() ? 'folder' : `${entry.mode} ${entry.size} ${entry.mtimeNs} ${entry.ctimeNs} ${entry.ino}`;
}
