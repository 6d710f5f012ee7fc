import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths by time of last change, the newest first; equal ones by name. A file that is gone by now comes last. */
export async function newestFirst(paths: readonly string[], root: string): Promise<readonly string[]> {
  const timed = await Promise.all(
    paths.map(async (path) => {
      const entry = await stat(join(root, path)).catch(() => undefined);
      return { path, mtimeMs: entry?.mtimeMs ?? 0 };
    }),
  );
  timed.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return timed.map(({ path }) => path);
}
