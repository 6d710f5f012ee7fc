import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { failureOf, type Git, outputOf, readLines } from '../../git/git.ts';
import { TRUE_PARENTS } from '../../git/hardening.ts';
import { SNAPSHOTS } from '../../git/snapshotRef.ts';
import { findWorkTree } from '../../git/workTree.ts';
import { type FoundRef, type Leftover, whyRefStays } from './leftovers.ts';
import type { RefName } from './ownNames.ts';

const BRANCHES = 'refs/heads/sg';

interface RefWish {
  /** Worktrees that go with their tasks: what only they have checked out is free. */
  readonly leaving: ReadonlySet<string>;
  /** Where worktrees of attempts are: what one that is gone from there had checked out is free. */
  readonly worktrees: string;
  /** Those of removed tasks; others are not looked at. */
  readonly names: ReadonlyMap<string, RefName>;
}

type Found =
  | { readonly type: 'found'; readonly refs: readonly FoundRef[] }
  | { readonly type: 'notARepository' }
  | ReturnType<typeof failureOf>;

/** The branches of attempts and the kept work of removed tasks, with what decides whether they may go. */
export async function findRefs(git: Git, folder: string, wish: RefWish): Promise<Found> {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type !== 'workTree') return workTree;
  try {
    const format = '--format=%(refname) %(objectname) %(symref)';
    const listed = await readLines(git, { folder, args: ['for-each-ref', format, BRANCHES, SNAPSHOTS] }, (line) => {
      const [name = '', commit = '', standsFor = ''] = line.trim().split(' ');
      const of = wish.names.get(name);
      return of && { ...of, name, commit, ...(standsFor !== '' && { standsFor }) };
    });
    if (listed.length === 0) return { type: 'found', refs: [] };
    const checkedOut = await checkedOutBranches(git, folder, wish);
    const refs = await Array.fromAsync(listed, async (ref) => {
      const isReachable = await isElsewhere(git, folder, ref.commit);
      return { ...ref, checkedOutAt: checkedOut.get(ref.name), isReachable };
    });
    return { type: 'found', refs };
  } catch (error) {
    return failureOf(error);
  }
}

/** By name of the ref: the folder. */
async function checkedOutBranches(
  git: Git,
  folder: string,
  { leaving, worktrees }: RefWish,
): Promise<Map<string, string>> {
  // git prints real paths
  const real = (place: string) => realpath(place).catch(() => place);
  const [own, ...free] = await Promise.all([worktrees, ...leaving].map(real));
  const found = new Map<string, string>();
  let [worktree, branch] = ['', ''];
  await readLines(git, { folder, args: ['worktree', 'list', '--porcelain'] }, (line) => {
    const [word = '', ...rest] = line.split(' ');
    if (word === 'worktree') [worktree, branch] = [rest.join(' '), ''];
    if (word === 'branch') branch = rest.join(' ');
    if (word === 'branch' && !free.includes(worktree)) found.set(branch, worktree);
    if (word === 'prunable' && path.dirname(worktree) === own) found.delete(branch);
    return undefined;
  });
  return found;
}

/**
 * What counts as another place of commits: branches, tags, and what remotes have, as far as it was fetched. A stash or a bisection is
 * soon gone, and a ref that only stands for another one goes with it.
 */
const KEEPING = ['refs/heads', 'refs/tags', 'refs/remotes', 'refs/stopgate/remote'];
const OF_ATTEMPTS = /^refs\/(heads|stopgate\/remote\/heads)\/sg\/|^refs\/stopgate\/remote\/stopgate\//;

/** Whether a ref that is not ours has a commit; null when git could not answer. */
async function isElsewhere(git: Git, folder: string, commit: string): Promise<boolean | null> {
  const args = ['for-each-ref', '--format=%(refname) %(symref)', '--contains', commit, ...KEEPING];
  try {
    const others = await readLines(git, { folder, args, settings: TRUE_PARENTS }, (line) => {
      const [name = '', standsFor = ''] = line.trim().split(' ');
      return standsFor !== '' || OF_ATTEMPTS.test(name) ? undefined : name;
    });
    return others.length > 0;
  } catch {
    return null;
  }
}

/** Null when it is gone. Everything is proved again: it may have changed since it was looked at. */
export async function removeRef(
  git: Git,
  ref: Leftover,
  { unmerged, worktrees }: { readonly unmerged: boolean; readonly worktrees: string },
): Promise<string | null> {
  const { name, commit = '', taskId, folder = '' } = ref;
  const kind = name.startsWith(`${BRANCHES}/`) ? 'branch' : 'ref';
  const names = new Map([[name, { taskId, kind }]] as const);
  const now = await findRefs(git, folder, { leaving: new Set(), worktrees, names });
  if (now.type === 'failed') return now.reason.replace(/\.$/, '');
  const [found] = now.type === 'found' ? now.refs : [];
  if (found === undefined) return null;
  if (found.commit !== commit) return 'it has moved since it was looked at';
  const why = whyRefStays(found, unmerged);
  if (why !== null) return why;
  try {
    await outputOf(git, { folder, args: ['update-ref', '--no-deref', '-d', name, commit] });
    return null;
  } catch (error) {
    return failureOf(error).reason.replace(/\.$/, '');
  }
}
