import type { ChosenChanges } from './chooseChanges.ts';
import { headTree } from './commitObject.ts';
import type { Git, GitEnd, GitFailure } from './git.ts';
import type { LeftOut } from './leftOut.ts';
import type { IndexScope } from './privateIndex.ts';
import { pathBytes, shownPath } from './quotedPath.ts';
import { openRawGit } from './rawGit.ts';
import { repeatCutShort, unlock } from './repeatCutShort.ts';
import type { WorkTree } from './workTree.ts';

export type WrittenTree =
  | { readonly type: 'written'; readonly tree: string; readonly leftOut: readonly LeftOut[] }
  | GitFailure;

interface Writing {
  readonly scope: IndexScope;
  readonly chosen: ChosenChanges;
}

/** As `git add` would store the files: filters run, line endings are converted. Changes the private index. */
export async function writeConvertedTree(git: Git, { scope, chosen }: Writing): Promise<WrittenTree> {
  const stuck = await stageDeletions(git, { ...scope, paths: chosen.deleted });
  if (stuck) return stuck;
  const staged = await stageFiles(git, { ...scope, paths: chosen.paths });
  if (staged.type === 'failed') return staged;
  // `--missing-ok`: a partial clone need not fetch objects for this
  const { topLevel: folder, indexFile, settings } = scope;
  const write = { folder, args: ['write-tree', '--missing-ok'], indexFile, settings };
  const written = await repeatCutShort(indexFile, () => git.run(write));
  if (written.type === 'failed') return written;
  return { type: 'written', tree: written.stdout.trim(), leftOut: staged.leftOut };
}

/**
 * Byte for byte as the files are on disk. The index is a new one without file times; otherwise git would not read staged
 * files again and would keep the converted content.
 */
export async function writeRawTree(
  git: Git,
  { workTree, scope, chosen }: Writing & { readonly workTree: WorkTree },
): Promise<WrittenTree> {
  await using raw = await openRawGit(git, workTree);
  const own = { ...scope, indexFile: `${scope.indexFile}.raw`, settings: {} };
  const head = await headTree(git, workTree);
  const read = await raw.git.run({ folder: own.topLevel, args: ['read-tree', head], indexFile: own.indexFile });
  if (read.type === 'failed') return read;
  return await writeConvertedTree(raw.git, { scope: own, chosen });
}

interface Staged {
  readonly type: 'staged';
  readonly leftOut: readonly LeftOut[];
}

interface StageRequest extends IndexScope {
  /** As git quotes them. */
  readonly paths: readonly string[];
}

const ADD = ['--add', '--remove', '--replace'];

/** When more files cannot be read, the disk is broken, not the files. */
const MAX_BAD_FILES = 50;

/** Errors that are not the file's fault: every other file would fail as well. */
const STORE_FAILED =
  /repository database|temporary file|No space left|quota exceeded|Read-only file system|unable to (write|deflate)/i;

/**
 * Adds files to a private index. A file that cannot be read is tried twice, because it may be being written, and then
 * left out and named.
 */
async function stageFiles(git: Git, request: StageRequest): Promise<Staged | GitFailure> {
  const leftOut: LeftOut[] = [];
  let paths = request.paths;
  let suspect: string | undefined;
  while (paths.length > 0) {
    // by standard input: no name can be taken for an option, no list is too long
    const end = await updateIndex(git, { ...request, paths }, ADD);
    if (end.type === 'done') break;
    if (end.wasCutShort) return await stageHalves(git, { ...request, paths }, leftOut);
    const bad = badPath(end.stderr, paths);
    if (bad === undefined || STORE_FAILED.test(end.stderr) || leftOut.length >= MAX_BAD_FILES) return end;
    if (bad === suspect) {
      leftOut.push({ path: shownPath(bad), reason: `it could not be read (${complaint(end.stderr)})` });
      paths = paths.filter((path) => path !== bad);
    }
    suspect = bad;
  }
  return { type: 'staged', leftOut };
}

/** One of the files killed git, which did not report which one: found by halving the list. */
async function stageHalves(git: Git, request: StageRequest, before: readonly LeftOut[]): Promise<Staged | GitFailure> {
  const { paths, indexFile } = request;
  await unlock(indexFile);
  const half = Math.ceil(paths.length / 2);
  if (half === paths.length) return await stageChanging(git, request, before);
  const first = await stageFiles(git, { ...request, paths: paths.slice(0, half) });
  if (first.type === 'failed') return first;
  const second = await stageFiles(git, { ...request, paths: paths.slice(half) });
  if (second.type === 'failed') return second;
  return { type: 'staged', leftOut: [...before, ...first.leftOut, ...second.leftOut] };
}

async function stageChanging(
  git: Git,
  request: StageRequest,
  before: readonly LeftOut[],
): Promise<Staged | GitFailure> {
  const end = await repeatCutShort(request.indexFile, () => updateIndex(git, request, ADD));
  if (end.type === 'failed' && STORE_FAILED.test(end.stderr)) return end;
  const reason = 'it kept changing while it was read';
  const leftOut = end.type === 'failed' ? request.paths.map((path) => ({ path: shownPath(path), reason })) : [];
  return { type: 'staged', leftOut: [...before, ...leftOut] };
}

/** By force: git would refuse a path that is now below a symbolic link. */
async function stageDeletions(git: Git, request: StageRequest): Promise<GitFailure | undefined> {
  if (request.paths.length === 0) return undefined;
  const end = await updateIndex(git, request, ['--force-remove']);
  return end.type === 'failed' ? end : undefined;
}

function updateIndex(git: Git, request: StageRequest, flags: readonly string[]): Promise<GitEnd> {
  const { topLevel, indexFile, settings, paths } = request;
  const args = ['update-index', ...flags, '--stdin'];
  return git.run({ folder: topLevel, args, indexFile, settings, input: `${paths.join('\n')}\n` });
}

/** Git prints the path unquoted, so it is looked up among those given. */
function badPath(stderr: string, paths: readonly string[]): string | undefined {
  const named = /^fatal: Unable to process path (.*)$/m.exec(stderr)?.[1]?.trimEnd();
  return named === undefined ? undefined : paths.find((path) => pathBytes(path).toString('utf8').trimEnd() === named);
}

function complaint(stderr: string): string {
  const line = /^(?:error|fatal): (.*)$/m.exec(stderr)?.[1] ?? 'git gave no reason';
  return line.slice(0, 200);
}
