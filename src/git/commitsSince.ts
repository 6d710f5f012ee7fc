import type { Git } from './git.ts';
import { findWorkTree, type NoWorkTree } from './workTree.ts';

interface CommitLine {
  readonly commit: string;
  readonly subject: string;
}

export type CommitsSince =
  | { readonly type: 'listed'; readonly commits: readonly CommitLine[]; readonly total: number }
  | NoWorkTree;

/** The commits after `base`, newest first; without a base, all of them. */
export async function commitsSince(
  git: Git,
  { folder, base, limit = 20 }: { readonly folder: string; readonly base: string | undefined; readonly limit?: number },
): Promise<CommitsSince> {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type !== 'workTree') return workTree;
  if (workTree.head === undefined) return { type: 'listed', commits: [], total: 0 };
  const range = [workTree.head, ...(base === undefined ? [] : [`^${base}`]), '--'];
  const counted = await git.run({ folder, args: ['rev-list', '--count', '--end-of-options', ...range] });
  if (counted.type === 'failed') return { type: 'failed', reason: counted.reason };
  const args = ['log', '--no-color', `--max-count=${limit}`, '--format=%H %s', '--end-of-options', ...range];
  const log = await git.run({ folder, args });
  if (log.type === 'failed') return { type: 'failed', reason: log.reason };
  const lines = log.stdout.split('\n').filter(Boolean);
  const commits = lines.map((line) => ({ commit: line.split(' ', 1)[0] ?? '', subject: line.replace(/^\S+ /, '') }));
  return { type: 'listed', commits, total: Number(counted.stdout) };
}
