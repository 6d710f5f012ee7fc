import { moveRef } from '../commitObject.ts';
import { type Git, readLines } from '../git.ts';
import { TRUE_PARENTS } from '../hardening.ts';
import { findWorkTree, oneLine, operationUnderWay } from '../workTree.ts';

export interface Target {
  /** Any folder of the repository. */
  readonly folder: string;
  /** Its short name. */
  readonly branch: string;
}

/** Why a branch cannot be moved now; a worktree that has it checked out is the user's. */
export type TargetHeld = { readonly type: 'held'; readonly reason: string };

export type MovedTarget =
  | { readonly type: 'moved' }
  /** It no longer points to what the result was made from. */
  | { readonly type: 'movedByOthers' }
  | TargetHeld
  | { readonly type: 'failed'; readonly reason: string };

const refOf = ({ branch }: Pick<Target, 'branch'>): string => `refs/heads/${branch}`;

export const tipOf = (git: Git, target: Target): Promise<string | undefined> =>
  oneLine(git, target.folder, ['rev-parse', '--verify', '--quiet', `${refOf(target)}^{commit}`]);

/** The worktrees in which a branch is checked out: none or one, unless git was forced. */
async function worktreesOn(git: Git, target: Target): Promise<readonly string[]> {
  let current = '';
  const found: string[] = [];
  await readLines(git, { folder: target.folder, args: ['worktree', 'list', '--porcelain'] }, (line) => {
    if (line.startsWith('worktree ')) current = line.slice('worktree '.length);
    if (line === `branch ${refOf(target)}`) found.push(current);
    return undefined;
  });
  return found;
}

/** Null when the branch can be moved to the commit without touching anything that is not committed. */
export async function whyHeld(git: Git, target: Target, commit?: string): Promise<TargetHeld | null> {
  for (const folder of await worktreesOn(git, target)) {
    const reason = await whyNotUpdated(git, folder, commit);
    if (reason !== null) return { type: 'held', reason: `${target.branch} is checked out in ${folder}, ${reason}` };
  }
  return null;
}

async function whyNotUpdated(git: Git, folder: string, commit: string | undefined): Promise<string | null> {
  const found = await findWorkTree(git, folder);
  // removed by hand, without git: there is nothing to update
  if (found.type !== 'workTree') return null;
  const operation = await operationUnderWay(found);
  if (operation !== undefined) return `where ${operation} is in progress; finish or abort it first.`;
  if (!(await isChanged(git, folder)) || (commit !== undefined && (await hasFilesOf(git, folder, commit)))) return null;
  return 'which has uncommitted changes; commit or stash them first.';
}

/** Untracked files do not count: git itself refuses to overwrite them. */
async function isChanged(git: Git, folder: string): Promise<boolean> {
  const listed = await git.run({ folder, args: ['status', '--porcelain', '--untracked-files=no'] });
  return listed.type === 'failed' || listed.stdout !== '';
}

/** An update that was killed between the files and the branch: index and files are those of the commit already. */
async function hasFilesOf(git: Git, folder: string, commit: string): Promise<boolean> {
  for (const args of [
    ['diff', '--cached', '--quiet', commit],
    ['diff', '--quiet'],
  ]) {
    if ((await git.run({ folder, args: [...args, '--no-ext-diff'] })).type === 'failed') return false;
  }
  return true;
}

interface MoveTargetRequest extends Target {
  readonly commit: string;
  /** What it was made from: the branch moves only from there. */
  readonly from: string;
  readonly why: string;
}

/**
 * Moves a branch from one commit to another that contains it, unless it was moved meanwhile. Where it is checked out, files and index
 * move with it, and nothing that is not committed is lost.
 */
export async function moveTarget(git: Git, request: MoveTargetRequest): Promise<MovedTarget> {
  const { folder, commit, from, why } = request;
  const held = await whyHeld(git, request, commit);
  if (held !== null) return held;
  const [checkedOut] = await worktreesOn(git, request);
  const there = checkedOut === undefined ? undefined : await findWorkTree(git, checkedOut);
  if ((await tipOf(git, request)) !== from) return { type: 'movedByOthers' };
  if (there?.type === 'workTree' && !(await hasFilesOf(git, there.topLevel, commit))) {
    return forwarded(git, there.topLevel, request);
  }
  const moved = await moveRef(git, { folder, ref: refOf(request), commit, from, why });
  if (moved.type === 'done') return { type: 'moved' };
  return (await tipOf(git, request)) === from ? { type: 'failed', reason: moved.reason } : { type: 'movedByOthers' };
}

/** Git moves the branch only from the commit that it found there, and refuses to lose anything. */
async function forwarded(git: Git, folder: string, request: MoveTargetRequest): Promise<MovedTarget> {
  const { commit, from, branch } = request;
  const args = ['merge', '--ff-only', '--quiet', '--no-stat', '--no-autostash', commit];
  const merged = await git.run({ folder, args, settings: TRUE_PARENTS, mayFetch: true, timeoutMs: 10 * 60_000 });
  if (merged.type === 'done') return { type: 'moved' };
  if ((await tipOf(git, request)) !== from) return { type: 'movedByOthers' };
  const [, file] = /^\t(.+)$/m.exec(merged.stderr) ?? [];
  const named = file === undefined ? merged.reason : `${file} would be overwritten; move it away first.`;
  return { type: 'held', reason: `${branch} is checked out in ${folder}, which cannot be updated: ${named}` };
}
