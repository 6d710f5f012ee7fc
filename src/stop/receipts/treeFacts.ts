import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { failureOf, type Git, openGit, outputOf, readLines } from '../../git/git.ts';
import type { Settings } from '../../git/hardening.ts';
import { copyIndex, unhide } from '../../git/privateIndex.ts';
import { shownPath } from '../../git/quotedPath.ts';
import { temporaryFolder } from '../../git/temporaryFolder.ts';
import { findWorkTree } from '../../git/workTree.ts';
import type { TreeFacts } from '../../schemas/ledger.ts';
import { attempt } from '../../system/attempt.ts';
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
    const diffSha256 = await diffDigest(git, { folder, startCommit, files, reading: state.reading });
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
  readonly reading: CheckedState['reading'];
}

/**
 * Looking at every file again takes as long as a `git status`, so git is told where to look. What the user's index says of
 * a file proves nothing, because an agent can mark one so that git does not look at it, or give it its old times and size
 * back: the diff is taken with a copy without the marks, so old that git reads every named file.
 */
async function diffDigest(git: Git, request: DiffRequest): Promise<string | null> {
  if (request.files?.length === 0) return createHash('sha256').digest('hex');
  const place = request.reading ?? (await findWorkTree(git, request.folder));
  if (!('gitDir' in place)) return null;
  if (request.files?.some((file) => hasNoTime(join(place.topLevel, file)))) return null;
  await using temporary = await temporaryFolder('diff');
  const indexFile = join(temporary.path, 'index');
  const [isMarked] = await Promise.all([hasMarks(git, request), copyIndex(place, indexFile)]);
  if (isMarked) await unhide(git, { folder: place.topLevel, indexFile, settings: SAME_EVERYWHERE });
  if (request.files !== null) await utimes(indexFile, OLDEST, OLDEST).catch(() => {});
  return await hashDiff(git, { ...request, indexFile });
}

/** In seconds. Git reads files that are not older than the index; 0 would mean that the index has no time. */
const OLDEST = 1;
/** Git keeps 32 bits of a time. */
const TIMES = 2 ** 32;

/** Whether git would take a file for older than any index. */
function hasNoTime(file: string): boolean {
  const entry = attempt(() => lstatSync(file, { throwIfNoEntry: false }), undefined);
  return entry !== undefined && Math.floor(entry.mtimeMs / 1_000) % TIMES === 0;
}

async function hashDiff(git: Git, request: DiffRequest & { readonly indexFile: string }): Promise<string | null> {
  const { folder, startCommit, indexFile } = request;
  const hash = createHash('sha256');
  const onLine = (line: string) => void hash.update(`${line}\n`);
  const args = [...DIFF, startCommit, '--', ...pathspecs(request)];
  const end = await git.run({ folder, args, settings: SAME_EVERYWHERE, indexFile, onLine });
  return end.type === 'done' ? hash.digest('hex') : null;
}

/** Whether git would not look at one of the files (`--assume-unchanged`, `--skip-worktree`). */
async function hasMarks(git: Git, request: DiffRequest): Promise<boolean> {
  let isMarked = false;
  const onLine = (line: string) => {
    isMarked ||= /^[a-zS]/.test(line);
  };
  await outputOf(git, { folder: request.folder, args: ['ls-files', '-v', '--', ...pathspecs(request)], onLine });
  return isMarked;
}

const pathspecs = ({ files }: DiffRequest) => files?.map((file) => `:(top,literal)${file}`) ?? [':(top)'];

/** Null when there are too many for arguments, or one is not plain text. */
const namable = (files: readonly string[]) => (files.length > MOST_NAMED || files.some(isQuoted) ? null : files);

const MOST_NAMED = 500;
/** A name that is not text, as `shownPath` leaves it. */
const isQuoted = (file: string) => file.startsWith('"');

/** The same bytes on every machine, whatever is configured. */
const DIFF = [
  ...['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index', '--binary', '--no-renames'],
  ...['--no-relative', '--src-prefix=a/', '--dst-prefix=b/', '--diff-algorithm=myers', '--indent-heuristic'],
  ...['--unified=3', '--inter-hunk-context=0', '--ignore-submodules=untracked', '-O/dev/null'],
];
/** What has no option. */
const SAME_EVERYWHERE: Settings = {
  'core.trustctime': 'true',
  'core.checkStat': 'default',
  'core.autocrlf': 'false',
  'core.eol': 'lf',
  'core.ignoreStat': 'false',
  'diff.noprefix': 'false',
  'diff.mnemonicPrefix': 'false',
  'diff.suppressBlankEmpty': 'false',
};
/** With what `git rm --cached` took out of the index: `git diff` shows it as deleted. */
const STAGED = ['diff-index', '--cached', '--name-only', '--no-renames'];
const NAMES = ['diff-tree', '-r', '--name-only', '--no-renames', '--no-commit-id'];
