import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const SKIPPED = new Set(['.git', 'node_modules']);
const MAX_FILES = 50_000;

export const WALK_NOTE =
  'ripgrep was not found: this is a plain search that skips .git and node_modules but ignores .gitignore.';

/** Files below a folder, as paths relative to it. Skips folders that cannot be read. */
export async function walkFiles(root: string, signal: AbortSignal): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (signal.aborted || files.length >= MAX_FILES) break;
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files.slice(0, MAX_FILES);
}
