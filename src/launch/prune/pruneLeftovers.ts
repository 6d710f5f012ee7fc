import { lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Git } from '../../git/git.ts';
import { cacheFolders } from '../../git/remote/repositoryCache.ts';
import { SNAPSHOTS } from '../../git/snapshotRef.ts';
import { removeWorktree } from '../../git/worktrees.ts';
import { openOutbox } from '../../store/outbox/outbox.ts';
import { attempt } from '../../system/attempt.ts';
import { type EndedTask, type KeptLeftover, type Leftover, type LeftoverPlan, whyRefStays } from './leftovers.ts';
import { branchRef, logsOf, refsOf } from './ownNames.ts';
import { findRefs, removeRef } from './ownRefs.ts';
import { whyWorktreeStays } from './ownWorktrees.ts';

export interface LeftoverWish {
  readonly git: Git;
  /** A folder of the repository whose branches are looked at; any other folder has none. */
  readonly cwd: string;
  readonly stopgateHome: string;
  /** Of the store. */
  readonly location: string;
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

async function settlementsOf({ stopgateHome, location, olderThanMs, now }: LeftoverWish): Promise<Leftover[]> {
  const refused = await openOutbox(stopgateHome).refused();
  return refused
    .filter(({ store, keptAt }) => store === location && now - keptAt >= olderThanMs)
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
