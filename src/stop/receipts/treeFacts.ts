import { createHash } from 'node:crypto';
import { failureOf, type Git, openGit, readLines } from '../../git/git.ts';
import { shownPath } from '../../git/quotedPath.ts';
import type { TreeFacts } from '../../schemas/ledger.ts';
import type { ProcessRunner } from '../../system/processes.ts';
import type { CheckedState } from '../checks/types.ts';

export interface TreePlace {
  readonly folder: string;
  readonly startCommit: string | null;
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
}

const MOST_FILES = 50;

/** The facts, and every file that the diff was taken of; null when those are not known, or no diff was taken. */
interface TakenFacts {
  readonly facts: TreeFacts;
  readonly inDiff: readonly string[] | null;
}

/** What a stop was about, for its receipt. Lists what is staged before the state of the files is known. */
export function beginTreeFacts(place: TreePlace): (state: CheckedState) => Promise<TakenFacts> {
  const { folder, startCommit } = place;
  const git = openGit(place);
  const args = [...STAGED, startCommit ?? '', '--'];
  const staged = startCommit === null ? Promise.resolve([]) : readLines(git, { folder, args }, shownPath);
  // awaited with the state; a stop that is interrupted before needs no list
  staged.catch(() => {});
  return (state) => treeFacts(state, place, { git, staged });
}

interface Begun {
  readonly git: Git;
  readonly staged: Promise<readonly string[]>;
}

/** A reader can take the same diff again. */
async function treeFacts(state: CheckedState, place: TreePlace, { git, staged }: Begun): Promise<TakenFacts> {
  const { folder, startCommit } = place;
  const plain = { digest: state.files, head: state.head, startCommit };
  const differing = typeof state.tree === 'string' ? [] : [...state.tree.differing.keys()].map(shownPath);
  const listed = (files: readonly string[]) => {
    const all = [...new Set(files)].toSorted();
    return { files: all.slice(0, MOST_FILES), fileCount: all.length };
  };
  const none = { facts: { ...plain, diffSha256: null, ...listed(differing) }, inDiff: null };
  if (startCommit === null) return none;
  try {
    const committed =
      state.head === null || state.head === startCommit
        ? []
        : await readLines(git, { folder, args: [...NAMES, startCommit, state.head] }, shownPath);
    const inDiff = [...new Set([...trackedIn(state), ...committed, ...(await staged)])];
    const files = typeof state.tree === 'string' ? null : namable(inDiff);
    const diffSha256 = await diffDigest(git, { folder, startCommit, files });
    const facts = { ...plain, diffSha256, ...listed([...differing, ...committed]) };
    return { facts, inDiff: diffSha256 === null ? null : files };
  } catch (error) {
    // a commit that is gone; a bug is thrown again
    failureOf(error);
    return none;
  }
}

/** A file that is neither in HEAD nor staged is in no diff. */
function trackedIn({ tree }: CheckedState): readonly string[] {
  return typeof tree === 'string'
    ? []
    : [...tree.differing.keys()].filter((path) => !tree.untracked.has(path)).map(shownPath);
}

interface DiffRequest {
  readonly folder: string;
  readonly startCommit: string;
  /** All that can differ, from the top of the worktree; null for the whole worktree. */
  readonly files: readonly string[] | null;
}

/** Looking at every file again takes as long as a `git status`, so git is told where to look. */
async function diffDigest(git: Git, { folder, startCommit, files }: DiffRequest): Promise<string | null> {
  const hash = createHash('sha256');
  if (files?.length === 0) return hash.digest('hex');
  const within = (files ?? []).map((file) => `:(top,literal)${file}`);
  const onLine = (line: string) => void hash.update(`${line}\n`);
  const end = await git.run({ folder, args: [...DIFF, startCommit, '--', ...within], onLine });
  return end.type === 'done' ? hash.digest('hex') : null;
}

/** Null when there are too many for arguments, or one is not plain text. */
const namable = (files: readonly string[]) => (files.length > MOST_NAMED || files.some(isQuoted) ? null : files);

const MOST_NAMED = 500;
/** A name that is not text, as `shownPath` leaves it. */
const isQuoted = (file: string) => file.startsWith('"');

/** The same bytes on every machine, whatever is configured. */
const DIFF = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index', '--binary', '--no-renames'];
/** With what `git rm --cached` took out of the index: `git diff` shows it as deleted. */
const STAGED = ['diff-index', '--cached', '--name-only', '--no-renames'];
const NAMES = ['diff-tree', '-r', '--name-only', '--no-renames', '--no-commit-id'];
