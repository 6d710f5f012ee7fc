import { failureOf, type Git, outputOf, readLines } from './git.ts';
import { findWorkTree } from './workTree.ts';

/** The commits after `base`, newest first; without a base, all of them. */
export async function commitsSince(
  git: Git,
  { folder, base, limit = 20 }: { readonly folder: string; readonly base: string | undefined; readonly limit?: number },
) {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type !== 'workTree') return workTree;
  if (workTree.head === undefined) return { type: 'listed', commits: [], total: 0 } as const;
  const range = ['--end-of-options', workTree.head, ...(base === undefined ? [] : [`^${base}`]), '--'];
  const args = ['log', '--no-color', `--max-count=${limit}`, '--format=%H %s', ...range];
  try {
    const total = await outputOf(git, { folder, args: ['rev-list', '--count', ...range] });
    const commits = await readLines(git, { folder, args }, (line) => {
      const [, commit = '', subject = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
      return commit ? { commit, subject } : undefined;
    });
    return { type: 'listed', commits, total: Number(total) } as const;
  } catch (error) {
    return failureOf(error);
  }
}
