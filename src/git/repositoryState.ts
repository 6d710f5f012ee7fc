import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Git, GitFailure } from './git.ts';
import { indexDigest } from './indexDigest.ts';
import { SNAPSHOTS } from './snapshotRef.ts';
import { oneLine, type WorkTree } from './workTree.ts';

/** Of a worktree alone: what is under way in it. */
const OWN_FILES = ['config.worktree', 'info/sparse-checkout', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];
const OPERATION_FILES = ['BISECT_LOG', 'rebase-merge/head-name', 'rebase-apply/head-name'];
/** Of the repository; the log of the stash is the list of all stashes. */
const SHARED_FILES = ['config', 'info/exclude', 'info/attributes', 'logs/refs/stash'];

/**
 * A digest of what git itself tells a check beside the files: the branch, all refs, what is staged and how it is marked,
 * the configuration, an operation that is under way. Refs of kept work are ours and do not count.
 */
export async function repositoryState(
  git: Git,
  workTree: WorkTree,
  cacheFile: string,
): Promise<{ readonly type: 'state'; readonly digest: string } | GitFailure> {
  const { topLevel, gitDir, branch } = workTree;
  const refs = createHash('sha256');
  const [listed, staged, common] = await Promise.all([
    git.run({
      folder: topLevel,
      args: ['for-each-ref', '--format=%(refname) %(objectname) %(symref)'],
      onLine: (line) => void (line.startsWith(`${SNAPSHOTS}/`) || refs.update(`${line}\n`)),
    }),
    indexDigest(git, { workTree, cacheFile }),
    oneLine(git, topLevel, ['rev-parse', '--git-common-dir']),
  ]);
  if (listed.type === 'failed') return listed;
  if (staged.type === 'failed') return staged;
  const shared = resolve(topLevel, common ?? gitDir);
  const files = [
    ...[...OWN_FILES, ...OPERATION_FILES].map((name) => join(gitDir, name)),
    ...SHARED_FILES.map((name) => join(shared, name)),
  ];
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => null)));
  const hash = createHash('sha256').update(JSON.stringify([branch, contents]));
  return { type: 'state', digest: hash.update(refs.digest()).update(staged.digest).digest('hex') };
}
