import type { Git, GitEnd, GitFailure } from './git.ts';
import type { LeftOut } from './leftOut.ts';
import { pathBytes, shownPath } from './quotedPath.ts';
import { repeatCutShort, unlock } from './repeatCutShort.ts';

export interface Staged {
  readonly type: 'staged';
  readonly leftOut: readonly LeftOut[];
}

export interface StageRequest {
  readonly topLevel: string;
  readonly indexFile: string;
  readonly settings: Readonly<Record<string, string>>;
  /** As git quotes them. */
  readonly paths: readonly string[];
}

/** More files than this that cannot be read are one broken disk, not many bad files. */
const MAX_BAD_FILES = 50;

/** Then it is no fault of the file: every other one would fail as well, and in the end nothing would be kept. */
const STORE_FAILED =
  /repository database|temporary file|No space left|quota exceeded|Read-only file system|unable to (write|deflate)/i;

/**
 * Takes files into a private index as they are on disk. A file that cannot be read is left out and named; the first
 * time it is tried again, because a file that is being written can be short for a moment.
 */
export async function stageFiles(git: Git, request: StageRequest): Promise<Staged | GitFailure> {
  const leftOut: LeftOut[] = [];
  let paths = request.paths;
  let suspect: string | undefined;
  while (paths.length > 0) {
    // by standard input: no name can be taken for an option, no list is too long
    const end = await updateIndex(git, { ...request, paths }, ['--add', '--remove', '--replace']);
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

/** Git died of one of the files and could not say of which; half of them have nothing to do with it, and so on. */
async function stageHalves(git: Git, request: StageRequest, before: readonly LeftOut[]): Promise<Staged | GitFailure> {
  const { paths, indexFile } = request;
  await unlock(indexFile);
  const half = Math.ceil(paths.length / 2);
  if (half === paths.length) return await stageRestless(git, request, before);
  const first = await stageFiles(git, { ...request, paths: paths.slice(0, half) });
  if (first.type === 'failed') return first;
  const second = await stageFiles(git, { ...request, paths: paths.slice(half) });
  if (second.type === 'failed') return second;
  return { type: 'staged', leftOut: [...before, ...first.leftOut, ...second.leftOut] };
}

async function stageRestless(git: Git, request: StageRequest, before: readonly LeftOut[]): Promise<Staged | GitFailure> {
  const end = await repeatCutShort(request.indexFile, () =>
    updateIndex(git, request, ['--add', '--remove', '--replace']),
  );
  if (end.type === 'failed' && STORE_FAILED.test(end.stderr)) return end;
  const reason = 'it kept changing while it was read';
  const leftOut = end.type === 'failed' ? request.paths.map((path) => ({ path: shownPath(path), reason })) : [];
  return { type: 'staged', leftOut: [...before, ...leftOut] };
}

/** By force: a path that is now behind a symbolic link would be refused otherwise. */
export async function stageDeletions(git: Git, request: StageRequest): Promise<GitFailure | undefined> {
  if (request.paths.length === 0) return undefined;
  const end = await updateIndex(git, request, ['--force-remove']);
  return end.type === 'failed' ? end : undefined;
}

function updateIndex(git: Git, request: StageRequest, flags: readonly string[]): Promise<GitEnd> {
  const { topLevel, indexFile, settings, paths } = request;
  const args = ['update-index', ...flags, '--stdin'];
  return git.run({ folder: topLevel, args, indexFile, settings, input: `${paths.join('\n')}\n` });
}

/** Git names the path as it is, so it is looked up among those that were given. */
function badPath(stderr: string, paths: readonly string[]): string | undefined {
  const named = /^fatal: Unable to process path (.*)$/m.exec(stderr)?.[1]?.trimEnd();
  return named === undefined ? undefined : paths.find((path) => pathBytes(path).toString('utf8').trimEnd() === named);
}

function complaint(stderr: string): string {
  const line = /^(?:error|fatal): (.*)$/m.exec(stderr)?.[1] ?? 'git does not say why';
  return line.slice(0, 200);
}
