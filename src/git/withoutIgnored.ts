import type { Git } from './git.ts';
import { folderPath } from './quotedPath.ts';

/** The paths that no rule ignores. A rule can apply to folders only, so git has to know what they are. */
export async function withoutIgnored(
  git: Git,
  folder: string,
  { paths, are }: { readonly paths: readonly string[]; readonly are: 'folders' | 'files' },
): Promise<string[]> {
  // git takes an empty line for a path, and fails
  if (paths.length === 0) return [];
  const ignored = new Set<string>();
  const names = are === 'files' ? paths : paths.map((path) => path.replace(/"?$/, '/$&'));
  const onLine = (line: string) => void ignored.add(folderPath(line) ?? line);
  // exits 1 when none is ignored
  await git.run({ folder, args: ['check-ignore', '--stdin'], input: `${names.join('\n')}\n`, onLine, okCodes: [1] });
  return paths.filter((path) => !ignored.has(path));
}
