import type { Git } from '../git.ts';

/**
 * The object that `git add` would make of each file, by quoted path: with filters and line ends converted. Nothing is
 * written. Empty when git cannot tell, so that every file counts as what its bytes are.
 */
export async function cleanIds(
  git: Git,
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const ids: string[] = [];
  const input = `${paths.join('\n')}\n`;
  const end = await git.run({
    folder,
    args: ['hash-object', '--stdin-paths'],
    input,
    onLine: (line) => ids.push(line),
  });
  if (end.type === 'failed' || ids.length !== paths.length) return new Map();
  return new Map(paths.map((path, index) => [path, ids[index] ?? '']));
}
