import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Paths by modification time, newest first, then by name. Missing files come last. */
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
