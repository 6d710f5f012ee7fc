import { isSameUrl, type Remote, type RepositoryAddress } from '../../../git/remote/repositoryAddress.ts';

/** A repository on this machine. */
export interface LocalRepository {
  readonly topLevel: string;
  /** The git folder that its worktrees share: two folders with the same one are the same repository. */
  readonly commonDir: string;
  /** Its remote `origin`, if it has one. */
  readonly origin: Remote | null;
}

export interface PlaceFacts {
  /** Of the task; null when it names none. */
  readonly repository: RepositoryAddress | null;
  /** Of the folder in which the worker was started. */
  readonly here: LocalRepository | null;
  /** What is at the path, for a task that names a folder. */
  readonly named: LocalRepository | null;
  /** The worker was started with `--worktrees`. */
  readonly worktrees: boolean;
}

/** Where an attempt works. */
export type TaskPlace =
  | { readonly type: 'inPlace' }
  | { readonly type: 'worktree'; readonly of: string; readonly remote: Remote | null }
  /** A worktree of the machine's own clone. */
  | { readonly type: 'clone'; readonly remote: Remote }
  | { readonly type: 'none'; readonly reason: string };

/**
 * A worker in the repository of a task works as it was started; another repository is never worked on in place: a person does not expect changes
 * in a folder in which no worker was started.
 */
export function decidePlace({ repository, here, named, worktrees }: PlaceFacts): TaskPlace {
  const own = (remote: Remote | null): TaskPlace => {
    if (!worktrees) return { type: 'inPlace' };
    if (here === null) return { type: 'none', reason: '--worktrees needs a git repository' };
    return { type: 'worktree', of: here.topLevel, remote };
  };
  if (repository === null) return own(null);
  if (repository.type === 'refused') return { type: 'none', reason: repository.reason };
  if (repository.type === 'remote') {
    const isHere = here?.origin != null && isSameUrl(here.origin.url, repository.url);
    return isHere ? own(repository) : { type: 'clone', remote: repository };
  }
  if (named === null) {
    const reason = `the repository of the task, ${repository.path}, is not a git repository on this machine; \`task edit --repo URL\` gives it one that every machine can reach`;
    return { type: 'none', reason };
  }
  return named.commonDir === here?.commonDir ? own(null) : { type: 'worktree', of: named.topLevel, remote: null };
}
