import type { TreeState } from '../../fleet/decisions/timeOver.ts';
import { beatDuring } from '../../fleet/worker/beatDuring.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Attempt, AttemptDetails, Lease, Task } from '../../store/types.ts';
import { type OpenedFolder, openTaskFolder } from './repository/openTaskFolder.ts';
import { prerequisitesOf } from './repository/prerequisites.ts';
import { openPushClerk, type PushClerk } from './repository/pushClerk.ts';
import { servePushes } from './repository/pushRequests.ts';
import { noteUnpushed } from './repository/unpushed.ts';
import type { AgentOfWorker } from './startAgent.ts';
import { type TaskFolder, taskFolders } from './taskFolders.ts';

interface Pushing {
  readonly clerk: PushClerk;
  readonly wholeMs: number | null;
  end(): Promise<void>;
}

export interface FolderOfAttempt {
  readonly lease: Lease;
  readonly task: Task | null;
  readonly attempt: Attempt | null;
  /** The branches of earlier attempts, newest first. */
  readonly earlier: readonly string[];
}

/** The folder of the attempt that a worker works on, and what its remote gets of it. `requests`: see `pushRequests.ts`. */
export function attemptFolders(agent: AgentOfWorker, requests: string) {
  const { world, store, request, lease: times } = agent;
  const folders = taskFolders(world);
  let folder: TaskFolder | null = null;
  let pushing: Pushing | null = null;
  let isUnused = false;
  const beating = <Result>(work: Promise<Result>, lease: Lease) => {
    const { workerId, incarnation } = lease;
    return beatDuring(work, { store, clock: world.clock, workerId, incarnation, lease: times, holding: lease });
  };
  /** On the branch first, then on the remote; a push is bounded, and its problem is part of the details. */
  const keep = async (lease: Lease): Promise<AttemptDetails> => {
    if (folder === null) return {};
    const kept = await folders.keep(folder, lease);
    return pushing === null ? kept : { ...kept, ...(await pushing.clerk.last('settlement')) };
  };
  return {
    async open(of: FolderOfAttempt): Promise<OpenedFolder> {
      const { lease, task, earlier } = of;
      folder = null;
      const prerequisites = task === null ? [] : await prerequisitesOf(store, task);
      const wish = { lease, task, earlier, prerequisites, worktrees: request.worktrees };
      const opened = await beating(openTaskFolder(world, wish), lease);
      if (opened.type === 'noFolder') return opened;
      folder = opened.folder;
      isUnused = false;
      const isUsed = () => !isUnused;
      pushing = startPushing(agent, { of, folder, requests, keep: () => keep(lease), isUsed });
      return opened;
    },
    /** The folder for push requests of its agent; null when nothing is pushed. */
    requests: (): string | null => (pushing === null ? null : requests),
    /** No agent could be started in it: it is removed, and nothing is pushed. */
    unused: () => {
      isUnused = true;
    },
    state: (): Promise<TreeState> => (folder === null ? Promise.resolve(null) : folders.state(folder)),
    timeLeft: (leftMs: number | null) => pushing?.clerk.timeLeft(leftMs, pushing.wholeMs),
    keep: (lease: Lease) => beating(keep(lease), lease),
    async leave(lease: Lease): Promise<readonly string[]> {
      if (pushing !== null && folder !== null) await beating(pushLast(agent, { pushing, folder, lease }), lease);
      pushing = null;
      return folder === null ? [] : folders.leave(folder, lease, request.removeWorktrees || isUnused);
    },
  };
}

interface LastPush {
  readonly pushing: Pushing;
  readonly folder: TaskFolder;
  readonly lease: Lease;
}

/** What its remote does not take now either is noted: a settled task has no other checkpoint. */
async function pushLast({ world, location, report }: AgentOfWorker, { pushing, folder, lease }: LastPush) {
  await pushing.end();
  await taskFolders(world).keep(folder, lease);
  const { pushed, problem } = await pushing.clerk.afterwards();
  if (problem === null || folder.branch === null) return;
  const work = { store: location, lease, folder: folder.path, branch: folder.branch, before: pushed };
  await noteUnpushed(worldGit({ ...world, cwd: folder.path }), world.stopgateHome, work).catch((error: Error) =>
    report(`the work of task ${lease.taskId} is not pushed again: ${error.message}`),
  );
}

interface PushStart {
  readonly of: FolderOfAttempt;
  readonly folder: TaskFolder;
  readonly requests: string;
  readonly keep: () => Promise<AttemptDetails>;
  readonly isUsed: () => boolean;
}

/** Null where there is no branch of its own, or no remote. */
function startPushing(agent: AgentOfWorker, { of, folder, requests, keep, isUsed }: PushStart): Pushing | null {
  const { world, store, report, request } = agent;
  const { lease, attempt } = of;
  if (folder.branch === null || folder.remote == null) return null;
  const { workerId, incarnation, taskId } = lease;
  const { clock } = world;
  const folders = taskFolders(world);
  const clerk = openPushClerk({
    ...{ clock, everyMs: request.pushEveryMs, taskId, report },
    push: async (stage, before, isLast) =>
      (await folders.push(folder, lease, { stage, before, isLast: isLast && isUsed() })) ?? {
        pushed: before,
        problem: null,
      },
    note: async (details) => void (await store.heartbeat({ workerId, incarnation, lease, details })),
  });
  const over = new AbortController();
  const running = Promise.all([
    clerk.run(over.signal),
    servePushes({ folder: requests, clock, push: keep }, over.signal),
  ]).catch((error: Error) => report(`the work of task ${taskId} is no longer pushed: ${error.message}`));
  return {
    clerk,
    wholeMs: wholeOf(attempt),
    end: async () => {
      over.abort('the agent is gone');
      await running;
    },
  };
}

function wholeOf(attempt: Attempt | null): number | null {
  if (attempt?.deadlineAt == null) return null;
  return attempt.deadlineAt - (attempt.startedAt ?? attempt.claimedAt);
}
