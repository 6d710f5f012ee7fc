import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Git } from '../../git/git.ts';
import { SNAPSHOTS, snapshotRef } from '../../git/snapshotRef.ts';
import { findWorkTree } from '../../git/workTree.ts';
import { removeWorktree } from '../../git/worktrees.ts';
import { openOutbox } from '../../store/outbox/outbox.ts';
import type { PrunableTask, Store } from '../../store/types.ts';
import { attempt } from '../../system/attempt.ts';
import { attemptLogFile } from '../attempt/attemptLog.ts';
import { type FoundRef, type KeptLeftover, type Leftover, type LeftoverPlan, whyRefStays } from './leftovers.ts';
import { branchOfWorktree, findRefs, removeRef, whyNotClean } from './ownRefs.ts';

export interface LeftoverWish {
  readonly store: Pick<Store, 'task'>;
  readonly git: Git;
  /** A folder of the repository whose branches are looked at; any other folder has none. */
  readonly cwd: string;
  readonly stopgateHome: string;
  /** Of the store. */
  readonly location: string;
  readonly tasks: readonly PrunableTask[];
  readonly olderThanMs: number;
  /** The machine's time. */
  readonly now: number;
  readonly unmerged: boolean;
}

/** What may go of this machine, and what stays and why; changes nothing. */
export async function planLeftovers(wish: LeftoverWish): Promise<LeftoverPlan> {
  const worktrees = await planWorktrees(wish);
  const refs = await planRefs(wish, worktrees.remove);
  return {
    remove: [...logsOf(wish), ...worktrees.remove, ...refs.remove, ...(await settlementsOf(wish))],
    keep: [...worktrees.keep, ...refs.keep],
  };
}

function logsOf({ tasks, stopgateHome }: LeftoverWish): Leftover[] {
  return tasks.flatMap(({ id: taskId, epoch }) =>
    Array.from({ length: epoch }, (_, n) => attemptLogFile(stopgateHome, { taskId, epoch: n + 1 }))
      .flatMap((file) => [file, `${file}.1`])
      .filter((file) => existsSync(file))
      .map((name) => ({ kind: 'log' as const, name })),
  );
}

/** Of removed tasks, in the folder that worktrees are made in: a path in a store is only a text. */
async function planWorktrees({ tasks, stopgateHome, git, unmerged }: LeftoverWish): Promise<LeftoverPlan> {
  const remove: Leftover[] = [];
  const keep: KeptLeftover[] = [];
  const folder = path.join(stopgateHome, 'worktrees');
  const names = attempt(() => new Set(readdirSync(folder)), new Set<string>());
  for (const { left } of tasks) {
    for (const { worktree, branch } of left) {
      if (worktree === undefined || path.dirname(worktree) !== folder || !names.has(path.basename(worktree))) continue;
      const here = await branchOfWorktree(git, worktree);
      const why =
        here !== branch
          ? `it is not on ${branch ?? 'its branch'} any more`
          : await whyNotClean(git, worktree, unmerged);
      if (why === null) remove.push({ kind: 'worktree', name: worktree });
      else keep.push({ kind: 'worktree', name: worktree, why });
    }
  }
  return { remove, keep };
}

async function planRefs(wish: LeftoverWish, leaving: readonly Leftover[]): Promise<LeftoverPlan> {
  const { git, cwd, tasks, unmerged, olderThanMs, now } = wish;
  const found = await findWorkTree(git, cwd);
  if (found.type !== 'workTree') return { remove: [], keep: [] };
  const removed = new Set(tasks.map(({ id }) => id));
  const snapshots = new Map(tasks.flatMap(({ id, epoch }) => epochNames(id, epoch)));
  const refs = await findRefs(git, found.topLevel, {
    leaving: new Set(leaving.map(({ name }) => name)),
    taskOfSnapshot: (ref) => snapshots.get(ref),
  });
  if (refs.type === 'failed') return { remove: [], keep: [{ kind: 'branch', name: 'sg/*', why: refs.reason }] };
  const remove: Leftover[] = [];
  const keep: KeptLeftover[] = [];
  for (const ref of refs.refs) {
    const task = removed.has(ref.taskId) ? 'removed' : await stateOf(wish, ref);
    const why = whyRefStays(ref, { task, isOld: now - ref.committedAt >= olderThanMs, unmerged });
    if (why === null) remove.push({ kind: ref.kind, name: ref.name, commit: ref.commit });
    // what other tasks keep is their business
    else if (task === 'removed') keep.push({ kind: ref.kind, name: ref.name, why });
  }
  return { remove, keep };
}

const epochNames = (id: string, epoch: number) =>
  Array.from({ length: epoch }, (_, n) => [snapshotRef(`${id}-${n + 1}`), id] as const);

const ENDED = ['done', 'cancelled'];

async function stateOf({ store, olderThanMs, now }: LeftoverWish, { taskId }: FoundRef) {
  const found = await store.task({ id: taskId });
  if (found.type === 'unknownTask') return 'unknown';
  if (found.type !== 'found' || found.task.id !== taskId || !ENDED.includes(found.task.state)) return 'kept';
  return found.task.updatedAt > now - olderThanMs ? 'kept' : 'ended';
}

async function settlementsOf({ stopgateHome, location, olderThanMs, now }: LeftoverWish): Promise<Leftover[]> {
  const refused = await openOutbox(stopgateHome).refused();
  return refused
    .filter(({ store, keptAt }) => store === location && now - keptAt >= olderThanMs)
    .map(({ request }) => ({ kind: 'settlement', name: request.lease.attemptId }));
}

/** Removes what was planned; what is no longer as it was stays, with the reason. */
export async function removeLeftovers(
  plan: LeftoverPlan,
  { git, cwd, stopgateHome }: Pick<LeftoverWish, 'git' | 'cwd' | 'stopgateHome'>,
): Promise<LeftoverPlan> {
  const remove: Leftover[] = [];
  const keep: KeptLeftover[] = [...plan.keep];
  const outbox = openOutbox(stopgateHome);
  const steps: Readonly<Record<Leftover['kind'], (one: Leftover) => Promise<string | null>>> = {
    log: async ({ name }) => {
      attempt(() => rmSync(name, { force: true }), undefined);
      return existsSync(name) ? 'it could not be removed' : null;
    },
    worktree: async ({ name }) => {
      // a change since the plan was made is kept beside
      const request = { path: name, ref: `${SNAPSHOTS}/${path.basename(name)}`, message: 'Work in a removed worktree' };
      const removed = await removeWorktree(git, request);
      return removed.type === 'removed' ? null : removed.reason;
    },
    branch: (one) => removeRef(git, cwd, one),
    ref: (one) => removeRef(git, cwd, one),
    settlement: async ({ name }) => {
      outbox.forgetRefused(name);
      return null;
    },
  };
  for (const one of plan.remove) {
    const why = await steps[one.kind](one);
    if (why === null) remove.push(one);
    else keep.push({ kind: one.kind, name: one.name, why });
  }
  return { remove, keep };
}
