import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { failureOf, type Git, readLines } from '../../git/git.ts';
import { cacheFolders } from '../../git/remote/repositoryCache.ts';
import { SNAPSHOTS } from '../../git/snapshotRef.ts';
import { exists, findWorkTree, operationUnderWay } from '../../git/workTree.ts';
import { removeWorktree, whyItStays } from '../../git/worktrees.ts';
import { openOutbox } from '../../store/outbox/outbox.ts';
import { attempt } from '../../system/attempt.ts';
import { type EndedTask, type KeptLeftover, type Leftover, type LeftoverPlan, whyRefStays } from './leftovers.ts';
import { branchRef, logsOf, refsOf } from './ownNames.ts';
import { findRefs, removeRef } from './ownRefs.ts';

export interface LeftoverWish {
  readonly git: Git;
  /** A folder of the repository whose branches are looked at; any other folder has none. */
  readonly cwd: string;
  readonly stopgateHome: string;
  /** Of the store, also those that it has moved from. */
  readonly locations: readonly string[];
  readonly tasks: readonly EndedTask[];
  readonly olderThanMs: number;
  /** The machine's time. */
  readonly now: number;
  readonly unmerged: boolean;
}

/** What may go of this machine, and what stays and why; changes nothing. */
export async function planLeftovers(wish: LeftoverWish): Promise<LeftoverPlan> {
  const worktrees = await planWorktrees(wish);
  const refs = await planRefs(wish, worktrees);
  return {
    remove: [...planLogs(wish), ...worktrees.remove, ...refs.remove, ...(await settlementsOf(wish))],
    keep: [...worktrees.keep, ...refs.keep],
  };
}

/** Not followed: a link counts, whatever it leads to. */
const isThere = (file: string) => attempt(() => lstatSync(file), undefined) !== undefined;

const planLogs = ({ tasks, stopgateHome }: LeftoverWish): Leftover[] =>
  tasks.flatMap((task) =>
    logsOf(stopgateHome, task)
      .filter(isThere)
      .map((name) => ({ kind: 'log' as const, name, taskId: task.id })),
  );

const worktreesIn = (stopgateHome: string) => path.join(stopgateHome, 'worktrees');

/** How the name of a worktree begins once nothing in it is needed; no other begins with a dot. */
const LEAVING = '.removing-';

/** Of removed tasks, in the folder that worktrees are made in: a path in a store is only a text. */
async function planWorktrees({ tasks, stopgateHome, git, unmerged }: LeftoverWish): Promise<LeftoverPlan> {
  const remove: Leftover[] = [];
  const keep: KeptLeftover[] = [];
  const folder = worktreesIn(stopgateHome);
  const names = attempt(() => new Set(readdirSync(folder)), new Set<string>());
  // a run was killed while it removed them
  const cutShort = [...names].filter((name) => name.startsWith(LEAVING));
  remove.push(...cutShort.map((name) => ({ kind: 'worktree' as const, name: path.join(folder, name), taskId: '' })));
  for (const { id: taskId, left } of tasks) {
    for (const { worktree, epoch } of left) {
      if (worktree === undefined || path.dirname(worktree) !== folder || !names.has(path.basename(worktree))) continue;
      const branch = branchOf(taskId, epoch);
      const one = { kind: 'worktree', name: worktree, taskId, branch } as const;
      const why = await whyWorktreeStays(git, { worktree, branch, unmerged });
      if (why === null) remove.push(one);
      else keep.push({ ...one, why });
    }
  }
  return { remove, keep };
}

const branchOf = (id: string, epoch: number) => branchRef(id, epoch).slice('refs/heads/'.length);

/** In the repository of the current folder and in this machine's clones. */
async function planRefs(wish: LeftoverWish, worktrees: LeftoverPlan): Promise<LeftoverPlan> {
  const { git, cwd, tasks, unmerged, stopgateHome } = wish;
  const remove: Leftover[] = [];
  const keep: KeptLeftover[] = [];
  const names = refsOf(tasks);
  if (names.size === 0) return { remove, keep };
  const leaving = new Set(worktrees.remove.map(({ name }) => name));
  // also when a rebase in it hides that it is checked out
  const staying = new Map(worktrees.keep.map(({ name, branch }) => [`refs/heads/${branch}`, name]));
  for (const folder of [cwd, ...cacheFolders(stopgateHome)]) {
    const found = await findRefs(git, folder, { leaving, worktrees: worktreesIn(stopgateHome), names });
    if (found.type === 'failed') keep.push({ kind: 'branch', name: `sg/* of ${folder}`, why: found.reason });
    if (found.type !== 'found') continue;
    for (const ref of found.refs) {
      const { kind, name, taskId, commit } = ref;
      const worktree = staying.get(name);
      const why = worktree === undefined ? whyRefStays(ref, unmerged) : `its worktree ${worktree} stays`;
      if (why === null) remove.push({ kind, name, taskId, commit, folder });
      else keep.push({ kind, name, taskId, why });
    }
  }
  return { remove, keep };
}

async function settlementsOf({ stopgateHome, locations, olderThanMs, now }: LeftoverWish): Promise<Leftover[]> {
  const refused = await openOutbox(stopgateHome).refused();
  return refused
    .filter(({ store, keptAt }) => locations.includes(store) && now - keptAt >= olderThanMs)
    .map(({ request: { lease } }) => ({ kind: 'settlement', name: lease.attemptId, taskId: lease.taskId }));
}

/** Removes what was planned; what is no longer as it was stays, with the reason. */
export async function removeLeftovers(
  plan: LeftoverPlan,
  { git, stopgateHome, unmerged }: Pick<LeftoverWish, 'git' | 'stopgateHome' | 'unmerged'>,
): Promise<LeftoverPlan> {
  const remove: Leftover[] = [];
  const keep: KeptLeftover[] = [...plan.keep];
  const outbox = openOutbox(stopgateHome);
  const where = { unmerged, worktrees: worktreesIn(stopgateHome) };
  const steps: Readonly<Record<Leftover['kind'], (one: Leftover) => Promise<string | null>>> = {
    log: async ({ name }) => {
      attempt(() => rmSync(name, { force: true }), undefined);
      return isThere(name) ? NOT_REMOVED : null;
    },
    worktree: async ({ name, branch = '' }) => {
      const beside = path.basename(name);
      if (!isThere(name)) return null;
      if (beside.startsWith(LEAVING)) return removeAll(name);
      const why = await whyWorktreeStays(git, { worktree: name, branch, unmerged });
      if (why !== null) return why;
      // a change since then is kept beside
      const kept = { ref: `${SNAPSHOTS}/${beside}`, message: 'Work in a removed worktree' };
      const aside = path.join(path.dirname(name), `${LEAVING}${beside}`);
      const removed = await removeWorktree(git, { path: name, ...kept, aside });
      return removed.type === 'removed' ? null : removed.reason.replace(/\.$/, '');
    },
    branch: (one) => removeRef(git, one, where),
    ref: (one) => removeRef(git, one, where),
    settlement: async ({ name }) => (outbox.forgetRefused(name) ? null : NOT_REMOVED),
  };
  for (const one of plan.remove) {
    const why = await steps[one.kind](one);
    if (why === null) remove.push(one);
    else keep.push({ kind: one.kind, name: one.name, taskId: one.taskId, why });
  }
  return { remove, keep };
}

const NOT_REMOVED = 'it could not be removed';

/** Links in it are not followed. */
function removeAll(folder: string): string | null {
  attempt(() => rmSync(folder, { recursive: true, force: true }), undefined);
  return isThere(folder) ? NOT_REMOVED : null;
}

/** Folders and files that tools make again; whatever else git ignores may be all there is of it, such as `.env`. */
const MADE_AGAIN = new Set([
  ...['node_modules', 'dist', 'build', 'out', 'target', 'coverage', '__pycache__', 'venv', '.venv', '.tox'],
  ...['.cache', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.gradle', '.next', '.nuxt', '.turbo', '.vite'],
  ...['.parcel-cache', '.eslintcache', '.DS_Store'],
]);

const isMadeAgain = (name: string) =>
  name.split('/').some((part) => MADE_AGAIN.has(part) || /\.(pyc|tsbuildinfo)$/.test(part));

/** Why a worktree cannot be removed without a loss; null when git has proved that there is none. */
async function whyWorktreeStays(
  git: Git,
  { worktree, branch, unmerged }: { readonly worktree: string; readonly branch: string; readonly unmerged: boolean },
): Promise<string | null> {
  const entry = await lstat(worktree).catch(() => undefined);
  if (entry?.isDirectory() !== true) return 'it is not a folder of its own';
  const found = await findWorkTree(git, worktree);
  if (found.type !== 'workTree') return `git could not read it: ${inSentence(found.reason)}`;
  if (found.topLevel !== (await realpath(worktree))) return 'it is not a worktree of its own';
  if (found.branch !== branch) return `it is not on ${branch} any more`;
  const operation = await operationUnderWay(found);
  if (operation !== undefined) return `${operation} is under way in it`;
  if (await exists(path.join(found.gitDir, 'locked'))) return 'it is locked (git worktree lock)';
  const reason = await whyItStays(git, found, worktree);
  return reason === undefined ? whyNotClean(git, worktree, unmerged) : inSentence(reason);
}

const inSentence = (reason: string) => reason.replace(/\.$/, '');

async function whyNotClean(git: Git, worktree: string, unmerged: boolean): Promise<string | null> {
  const args = ['status', '--porcelain', '--untracked-files=all', '--ignored=matching', '--ignore-submodules=none'];
  let isChanged = false;
  let precious: string | undefined;
  try {
    await readLines(git, { folder: worktree, args }, (line) => {
      const name = line.slice(3).replace(/^"|"$/g, '');
      if (!line.startsWith('!! ')) isChanged ||= line !== '';
      else if (!isMadeAgain(name)) precious ??= name;
      return undefined;
    });
  } catch (error) {
    return `git could not tell whether it has changes: ${inSentence(failureOf(error).reason)}`;
  }
  // no snapshot has these, so --unmerged would lose them
  if (precious !== undefined)
    return `git ignores ${precious} in it, which nothing else has; git worktree remove removes it`;
  if (!isChanged || unmerged) return null;
  return 'it has changes that are not committed (--unmerged keeps them in refs/stopgate/wip and removes it)';
}
