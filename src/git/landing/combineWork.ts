import { ALL_FILES } from '../cleanCheckout.ts';
import { failureOf, type Git, type GitCommand, GitError, type GitFailure, outputOf, readLines } from '../git.ts';
import { TRUE_PARENTS } from '../hardening.ts';
import { shownPath } from '../quotedPath.ts';
import { oneLine } from '../workTree.ts';

/** How the commits of a branch become part of another one. */
type CombineMethod = 'merge' | 'rebase' | 'squash';

export interface CombineRequest {
  /** A checkout of our own, without a branch and without changes. */
  readonly folder: string;
  readonly method: CombineMethod;
  readonly commit: string;
  /** Of the merge commit, or of the only commit of a squash. */
  readonly message: string;
  readonly identity: GitCommand['identity'];
}

export type Combined =
  /** HEAD of the checkout is this commit now. */
  | { readonly type: 'combined'; readonly commit: string }
  /** All of it is in HEAD already. */
  | { readonly type: 'contained' }
  /** HEAD is as it was. */
  | { readonly type: 'conflict'; readonly files: readonly string[] }
  | { readonly type: 'failed'; readonly reason: string };

/** What a person may have configured for their own merges must not decide about ours, and no other branch may move. */
const SETTINGS = {
  'rerere.enabled': 'false',
  'merge.autoStash': 'false',
  'merge.verifySignatures': 'false',
  'rebase.autoStash': 'false',
  'rebase.autoSquash': 'false',
  'rebase.updateRefs': 'false',
  'rebase.rebaseMerges': 'false',
  'rebase.forkPoint': 'false',
  'commit.cleanup': 'whitespace',
  ...ALL_FILES,
  ...TRUE_PARENTS,
};

const LONGEST_MS = 10 * 60_000;

type Run = (args: readonly string[], more?: Partial<GitCommand>) => ReturnType<Git['run']>;

/** Adds the work of a commit to the HEAD of a checkout. */
export async function combineWork(git: Git, request: CombineRequest): Promise<Combined> {
  const { folder, commit, identity } = request;
  const run: Run = (args, more) =>
    git.run({ folder, args, identity, settings: SETTINGS, mayFetch: true, timeoutMs: LONGEST_MS, ...more });
  try {
    const before = await outputOf(git, { folder, args: ['rev-parse', 'HEAD'] });
    if (await isAncestor(git, folder, [commit, before])) return { type: 'contained' };
    const failure = await METHODS[request.method](run, request, before);
    if (failure !== null) return await undone(git, run, { folder, before, failure });
    const after = await outputOf(git, { folder, args: ['rev-parse', 'HEAD'] });
    return after === before ? { type: 'contained' } : { type: 'combined', commit: after };
  } catch (error) {
    return failureOf(error);
  }
}

type Method = (run: Run, request: CombineRequest, before: string) => Promise<GitFailure | null>;

const failureIn = (end: Awaited<ReturnType<Run>>): GitFailure | null => (end.type === 'failed' ? end : null);

const METHODS: Readonly<Record<CombineMethod, Method>> = {
  merge: async (run, { commit, message }) =>
    failureIn(await run(['merge', '--no-ff', '--no-verify', '--quiet', '--no-stat', '-m', message, commit])),
  squash: async (run, { commit, message }) => {
    const merged = failureIn(await run(['merge', '--squash', '--quiet', '--no-stat', commit]));
    if (merged !== null) return merged;
    // exit code 1: there is something to commit
    const isEmpty = (await run(['diff', '--cached', '--quiet', '--no-ext-diff', 'HEAD'])).type === 'done';
    if (isEmpty) return null;
    return failureIn(await run(['commit', '--no-verify', '--quiet', '-F', '-'], { input: `${message}\n` }));
  },
  rebase: async (run, { commit }, before) => {
    const there = failureIn(await run(['checkout', '--quiet', '--detach', commit]));
    return there ?? failureIn(await run(['rebase', '--quiet', '--no-verify', before]));
  },
};

interface Undoing {
  readonly folder: string;
  readonly before: string;
  readonly failure: GitFailure;
}

/** The checkout as it was, and the files that both sides changed. */
async function undone(git: Git, run: Run, { folder, before, failure }: Undoing): Promise<Combined> {
  const args = ['diff', '--name-only', '--diff-filter=U', '--no-ext-diff'];
  const files = await readLines(git, { folder, args }, (line) => shownPath(line));
  // one of them is in progress, or neither
  for (const operation of ['merge', 'rebase']) await run([operation, '--abort']);
  for (const reset of [
    ['checkout', '--quiet', '--force', '--detach', before],
    ['reset', '--hard', '--quiet', before],
    ['clean', '-ffdq'],
  ]) {
    const end = await run(reset);
    if (end.type === 'failed') throw new GitError(end);
  }
  return files.length > 0 ? { type: 'conflict', files } : { type: 'failed', reason: failure.reason };
}

export async function isAncestor(git: Git, folder: string, [one, other]: readonly [string, string]): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', one, other];
  const end = await git.run({ folder, args, settings: TRUE_PARENTS });
  return end.type === 'done';
}

/** The commit of a name; undefined when the repository has none. */
export const commitOf = (git: Git, folder: string, name: string): Promise<string | undefined> =>
  oneLine(git, folder, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
