import type { Git } from '../../../git/git.ts';
import { commitOf, isAncestor } from '../../../git/landing/combineWork.ts';
import type { RemoteRefs } from '../../../git/remote/fetchRefs.ts';
import { mergeCommits, newestOf } from './commits.ts';
import { isCommitId } from './fetchStart.ts';
import type { Prerequisite } from './prerequisites.ts';

export interface StartRequest {
  /** The repository of the attempt's worktree. */
  readonly folder: string;
  readonly base: string | null;
  /** The branches of earlier attempts, newest first. */
  readonly earlier: readonly string[];
  /** With work, in the order in which the task names them. */
  readonly prerequisites: readonly Prerequisite[];
  /** What the remote of a clone of our own has; null for a person's repository, whose branches count. */
  readonly remote: RemoteRefs | null;
}

export type ChosenStart =
  | {
      readonly type: 'start';
      readonly commit: string;
      readonly continuedFrom?: string;
      /** Sentences for the agent. */
      readonly notes: readonly string[];
    }
  /** Nothing to start from; another attempt would find the same. */
  | { readonly type: 'noBase'; readonly reason: string };

/** An earlier attempt's work, else that of the tasks before it, else the base. */
export async function chooseStart(git: Git, request: StartRequest): Promise<ChosenStart> {
  const { folder, earlier } = request;
  for (const branch of earlier) {
    const commit = await newestOf(git, folder, `refs/heads/${branch}`);
    if (commit !== undefined) return { type: 'start', commit, continuedFrom: branch, notes: [] };
  }
  const base = await baseCommit(git, request);
  const before = await startOfPrerequisites(git, request, base);
  if (before !== null) return before;
  if (base !== undefined) return { type: 'start', commit: base, notes: [] };
  const { base: name } = request;
  return {
    type: 'noBase',
    reason:
      name === null
        ? `The repository of the task (${folder}) has no commit yet that a worktree could start from.`
        : `The repository of the task has no branch, tag or commit ${name}; push it, or change the base with \`task edit --base\`.`,
  };
}

async function baseCommit(git: Git, { folder, base, remote }: StartRequest): Promise<string | undefined> {
  if (base !== null && isCommitId(base)) return commitOf(git, folder, base);
  // the agents of all tasks share a clone, and could begin each other's work with theirs
  if (remote !== null) {
    const id = remote.get(base === null ? 'HEAD' : `refs/heads/${base}`) ?? remote.get(`refs/tags/${base}`);
    return id === undefined ? undefined : commitOf(git, folder, id);
  }
  if (base === null) return commitOf(git, folder, 'HEAD');
  return (await newestOf(git, folder, `refs/heads/${base}`)) ?? newestOf(git, folder, `refs/tags/${base}`);
}

interface Found extends Prerequisite {
  readonly at: string;
}

/** The first one that the base does not have yet; the others are merged into it. Null when the base has them all. */
async function startOfPrerequisites(
  git: Git,
  { folder, prerequisites }: StartRequest,
  base: string | undefined,
): Promise<ChosenStart | null> {
  const notes: string[] = [];
  const found: Found[] = [];
  for (const one of prerequisites) {
    const at = await workOf(git, folder, one);
    if (at === undefined) notes.push(`The work of ${nameOf(one)}, which this task depends on, could not be found.`);
    else if (base === undefined || !(await isAncestor(git, folder, [at, base]))) found.push({ ...one, at });
  }
  const [first, ...others] = found;
  if (first === undefined)
    return base === undefined || notes.length === 0 ? null : { type: 'start', commit: base, notes };
  let commit = first.at;
  notes.unshift(`This worktree starts with the work of ${nameOf(first)}, which this task depends on.`);
  for (const other of others) {
    const added = await addWork(git, { folder, commit, other });
    commit = added.commit;
    notes.push(added.note);
  }
  return { type: 'start', commit, notes };
}

/** Its commit, or the head of its branch. */
async function workOf(git: Git, folder: string, { commit, branch }: Prerequisite): Promise<string | undefined> {
  const own = commit === null ? undefined : await commitOf(git, folder, commit);
  return own ?? (branch === null ? undefined : newestOf(git, folder, `refs/heads/${branch}`));
}

async function addWork(
  git: Git,
  { folder, commit, other }: { readonly folder: string; readonly commit: string; readonly other: Found },
): Promise<{ readonly commit: string; readonly note: string }> {
  const merged = `The work of ${nameOf(other)} is merged into it.`;
  if (await isAncestor(git, folder, [other.at, commit])) return { commit, note: merged };
  if (await isAncestor(git, folder, [commit, other.at])) return { commit: other.at, note: merged };
  const message = `Merge the work of task ${other.taskId}`;
  const outcome = await mergeCommits(git, { folder, ours: commit, theirs: other.at, message });
  if (outcome.type === 'merged') return { commit: outcome.commit, note: merged };
  const why =
    outcome.type === 'conflict'
      ? `conflicts with it in ${listOf(outcome.files)}`
      : `could not be merged (${outcome.reason})`;
  return {
    commit,
    note: `The work of ${nameOf(other)} ${why}, so it is not merged: run \`git merge ${other.at}\` and resolve it.`,
  };
}

const MOST_FILES = 10;

const listOf = (files: readonly string[]) =>
  files.length <= MOST_FILES
    ? files.join(', ')
    : `${files.slice(0, MOST_FILES).join(', ')} and ${files.length - MOST_FILES} more files`;

const nameOf = ({ taskId, branch, commit }: Prerequisite) =>
  `task ${taskId} (${branch ?? `commit ${commit?.slice(0, 12)}`})`;
