import { readFile, stat } from 'node:fs/promises';
import type { Git } from '../git.ts';
import { absolutePath, shownPath } from '../quotedPath.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { objectId } from './checkedOut.ts';
import type { IndexedFile, Unlike, UnlikeRequest } from './unlikeCheckout.ts';

interface FilteredFile {
  readonly file: IndexedFile;
  readonly filter: string | undefined;
}

/** Filters are programs, so they run on a limited number of files. */
const MAX_FILES = 1_000;
const MAX_BYTES = 100_000_000;

/**
 * Of files that a filter or an encoding converts, those whose bytes a checkout would not write: a clean filter can drop
 * lines that then exist only in the file. Git LFS stores a digest of all bytes, so its files need no check.
 */
export async function unlikeFiltered(git: Git, request: UnlikeRequest, all: readonly FilteredFile[]): Promise<Unlike> {
  const candidates: Candidate[] = [];
  const unchecked: string[] = [];
  let total = 0;
  for (const { file, filter } of all) {
    if (filter === 'lfs') continue;
    const place = absolutePath(request.scope.topLevel, file.path);
    const size = (await stat(place).catch(() => undefined))?.size;
    if (size === undefined) continue;
    if (candidates.length >= MAX_FILES || total + size > MAX_BYTES) {
      unchecked.push(file.path);
      continue;
    }
    total += size;
    const bytes = await readFile(place).catch(() => undefined);
    if (bytes && objectId(bytes, file.object) !== file.object) candidates.push({ ...file, bytes });
  }
  const unlike = await compare(git, request, candidates);
  const notes = unchecked.length === 0 ? [] : [uncheckedNote(unchecked)];
  return { type: 'unlike', paths: unlike.map(({ path }) => path), notes };
}

interface Candidate extends IndexedFile {
  readonly bytes: Buffer;
}

const uncheckedNote = (paths: readonly string[]) =>
  `${paths.length} unchanged files that a filter converts were not compared byte by byte, among them ${shownPath(paths[0] ?? '')}`;

/** Checks the files out elsewhere. When a filter fails, the bytes of its files are kept. */
async function compare(
  git: Git,
  { scope, filters }: UnlikeRequest,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (candidates.length === 0) return [];
  if (filters === 'off') return candidates;
  await using folder = await temporaryFolder('filtered');
  const { topLevel, indexFile, settings } = scope;
  const args = ['checkout-index', '--force', '--quiet', `--prefix=${folder.path}/`, '--stdin'];
  const input = `${candidates.map(({ path }) => path).join('\n')}\n`;
  await git.run({ folder: topLevel, args, indexFile, settings, input });
  const unlike: Candidate[] = [];
  for (const candidate of candidates) {
    const written = await readFile(absolutePath(folder.path, candidate.path)).catch(() => undefined);
    if (!written?.equals(candidate.bytes)) unlike.push(candidate);
  }
  return unlike;
}
