import { failureOf, type Git, outputOf, readLines } from '../../git/git.ts';
import { SNAPSHOTS } from '../../git/snapshotRef.ts';
import { findWorkTree, oneLine } from '../../git/workTree.ts';
import type { FoundRef, Leftover } from './leftovers.ts';

const BRANCHES = 'refs/heads/sg';

interface RefWish {
  /** Worktrees that go with their tasks: what only they have checked out is free. */
  readonly leaving: ReadonlySet<string>;
  /** Names of snapshots do not have the id of their task in a form that could be read back. */
  readonly taskOfSnapshot: (ref: string) => string | undefined;
}

type Found = { readonly type: 'found'; readonly refs: readonly FoundRef[] } | ReturnType<typeof failureOf>;

/** The branches of attempts and the kept work of removed tasks, with what decides whether they may go. */
export async function findRefs(git: Git, folder: string, wish: RefWish): Promise<Found> {
  try {
    const checkedOut = await checkedOutBranches(git, folder, wish.leaving);
    const args = ['for-each-ref', '--format=%(refname) %(objectname) %(creatordate:unix)', BRANCHES, SNAPSHOTS];
    const listed = await readLines(git, { folder, args }, (line) => readRefLine(line, wish));
    const refs: FoundRef[] = [];
    for (const ref of listed) {
      const isReachable = await isElsewhere(git, folder, ref.commit);
      refs.push({ ...ref, checkedOutAt: checkedOut.get(ref.name), isReachable });
    }
    return { type: 'found', refs };
  } catch (error) {
    return failureOf(error);
  }
}

type Listed = Omit<FoundRef, 'checkedOutAt' | 'isReachable'>;

function readRefLine(line: string, { taskOfSnapshot }: RefWish): Listed | undefined {
  const [name = '', commit = '', date = ''] = line.trim().split(' ');
  const found = { name, commit, committedAt: Number(date) * 1_000 };
  const [, branchOf] = /^refs\/heads\/sg\/([\w.:-]+)\/\d+$/.exec(name) ?? [];
  if (branchOf !== undefined) return { ...found, kind: 'branch', taskId: branchOf };
  const taskId = name.startsWith(`${SNAPSHOTS}/`) ? taskOfSnapshot(name) : undefined;
  return taskId === undefined ? undefined : { ...found, kind: 'ref', taskId };
}

/** By name of the ref: the folder. */
async function checkedOutBranches(
  git: Git,
  folder: string,
  leaving: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let worktree = '';
  await readLines(git, { folder, args: ['worktree', 'list', '--porcelain'] }, (line) => {
    if (line.startsWith('worktree ')) worktree = line.slice('worktree '.length);
    if (line.startsWith('branch ') && !leaving.has(worktree)) found.set(line.slice('branch '.length), worktree);
    return undefined;
  });
  return found;
}

/** Whether a ref that is not ours has a commit; null when git could not answer. */
async function isElsewhere(git: Git, folder: string, commit: string): Promise<boolean | null> {
  const args = ['for-each-ref', '--format=%(refname)', '--contains', commit];
  try {
    const others = await readLines(git, { folder, args }, (line) => (isOwn(line.trim()) ? undefined : line));
    return others.length > 0;
  } catch {
    return null;
  }
}

const isOwn = (ref: string) => ref.startsWith(`${BRANCHES}/`) || ref.startsWith('refs/stopgate/');

export async function branchOfWorktree(git: Git, worktree: string): Promise<string | undefined> {
  const found = await findWorkTree(git, worktree);
  return found.type === 'workTree' ? found.branch : undefined;
}

/** Why a worktree cannot be removed without a loss; null when git has proved that it has no change. */
export async function whyNotClean(git: Git, worktree: string, unmerged: boolean): Promise<string | null> {
  const status = await git.run({ folder: worktree, args: ['status', '--porcelain', '--untracked-files=all'] });
  if (status.type === 'failed') return `git could not tell whether it has changes: ${status.reason}`;
  if (status.stdout.trim() === '' || unmerged) return null;
  return 'it has changes that are not committed (--unmerged keeps them in refs/stopgate/wip and removes it)';
}

/** Null when it is gone; only while it still is what was looked at. */
export async function removeRef(git: Git, folder: string, { name, commit = '' }: Leftover): Promise<string | null> {
  try {
    await outputOf(git, { folder, args: ['update-ref', '-d', name, commit] });
    return null;
  } catch (error) {
    const now = await oneLine(git, folder, ['rev-parse', '--verify', '--quiet', name]).catch(() => undefined);
    return now === undefined ? null : failureOf(error).reason;
  }
}
