import type { Git, GitFailure } from './git.ts';
import { onDisk } from './onDisk.ts';

export interface Trees {
  readonly topLevel: string;
  /** What there was when the work began. */
  readonly start: string | undefined;
  readonly now: string;
}

/**
 * Files that an earlier tree had, that a later one has not, and that are still on disk: dropped from the index and mostly
 * ignored since, so that no list of git's shows what was done to them.
 */
export async function formerlyTracked(git: Git, { topLevel, start, now }: Trees): Promise<string[] | GitFailure> {
  if (start === undefined) return [];
  const paths: string[] = [];
  const args = ['diff-tree', '-r', '--name-only', '--no-renames', '--diff-filter=D', '--end-of-options', start, now];
  const end = await git.run({ folder: topLevel, args, onLine: (line) => paths.push(line) });
  return end.type === 'failed' ? end : [...(await onDisk(topLevel, paths))];
}
