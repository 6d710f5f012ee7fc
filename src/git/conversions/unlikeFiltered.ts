import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '../git.ts';
import { absolutePath, pathBytes, shownPath } from '../quotedPath.ts';
import { objectId } from './checkedOut.ts';
import type { IndexedFile, Unlike, UnlikeRequest } from './unlikeCheckout.ts';

interface FilteredFile {
  readonly file: IndexedFile;
  readonly filter: string | undefined;
}

/** Filters are programs: more than this is not run through them to find out whether they would write the same. */
const MAX_FILES = 1_000;
const MAX_BYTES = 100_000_000;

/**
 * Of files that a filter or an encoding converts, those whose bytes a checkout would not write: a clean filter can drop
 * lines that are then nowhere but in the file. Git LFS stores a digest of all bytes, so what it calls unchanged is.
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

/** Checks the files out elsewhere. A filter that fails says nothing about its files, so their bytes are kept. */
async function compare(
  git: Git,
  { scope, filters }: UnlikeRequest,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (candidates.length === 0) return [];
  if (filters === 'off') return candidates;
  const folder = await mkdtemp(join(tmpdir(), 'stopgate-filtered-'));
  try {
    const { topLevel, indexFile, settings } = scope;
    const args = ['checkout-index', '--force', '--quiet', `--prefix=${folder}/`, '--stdin'];
    const input = `${candidates.map(({ path }) => path).join('\n')}\n`;
    await git.run({ folder: topLevel, args, indexFile, settings, input });
    const unlike: Candidate[] = [];
    for (const candidate of candidates) {
      const place = Buffer.concat([Buffer.from(`${folder}/`), pathBytes(candidate.path)]);
      const written = await readFile(place).catch(() => undefined);
      if (!written?.equals(candidate.bytes)) unlike.push(candidate);
    }
    return unlike;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
