import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Large folders that tools generate. */
const HEAVY = new Set([
  ...['.cache', '.git', '.gradle', '.hg', '.mypy_cache', '.next', '.pytest_cache', '.ruff_cache', '.stopgate', '.svn'],
  ...['.tox', '.venv', '__pycache__', 'node_modules', 'target', 'venv'],
]);

/** Further entries do not count: this must be fast even in a home folder. */
export const MAX_ENTRIES = 20_000;

/**
 * A digest of names, sizes and times under a folder, for use without git. Links are not followed. `isWhole` is false when there
 * were more entries.
 */
export async function folderDigest(folder: string, maxEntries = MAX_ENTRIES) {
  const hash = createHash('sha256');
  const waiting = [''];
  let left = maxEntries;
  let isWhole = true;
  // breadth first: people work near the top
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
  // a temporary file would change a folder's own time
  return entry.isDirectory() ? 'folder' : `${entry.mode} ${entry.size} ${entry.mtimeNs} ${entry.ctimeNs} ${entry.ino}`;
}
