import { constants, readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { attempt } from '../../system/attempt.ts';
import type { Filters } from '../filters.ts';
import { type Git, readLines } from '../git.ts';
import type { IndexScope } from '../privateIndex.ts';
import { absolutePath, shownPath } from '../quotedPath.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { attributesOf, conversionOf, hasAttributes, lineEndSettings } from './attributes.ts';
import { isAsCheckedOut, objectId } from './checkedOut.ts';

export interface UnlikeRequest {
  /** A copy of the index, in which all files but `changed` are as in HEAD. */
  readonly scope: IndexScope;
  /** Files that git lists as changed, whose bytes are always kept. */
  readonly changed: ReadonlySet<string>;
  readonly filters: Filters;
}

export interface Unlike {
  /** Files whose bytes are neither committed nor what a checkout would write. */
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

/** A tracked file with the object that the index names for it. */
interface IndexedFile {
  readonly path: string;
  readonly object: string;
}

const FILES_IN_A_ROW = 64;

/**
 * Files that git considers unchanged because it compares them after conversion (line ends, `$Id$`, filters), although a
 * checkout would write other bytes. Reads every file that is converted; without attributes, none.
 */
export async function unlikeCheckout(git: Git, request: UnlikeRequest): Promise<Unlike> {
  const { scope, changed } = request;
  const { folder } = scope;
  const settings = await lineEndSettings(git, folder);
  const isPlain = settings.autocrlf !== 'true' && settings.autocrlf !== 'input';
  if (isPlain && !(await hasAttributes(git, folder, changed))) return { paths: [], notes: [] };
  const files = await unchangedFiles(git, scope, changed);
  const paths = files.map(({ path }) => path);
  const attributes = await attributesOf(git, folder, paths);
  const unlike: string[] = [];
  const filtered: IndexedFile[] = [];
  for (const [index, file] of files.entries()) {
    const conversion = conversionOf(attributes.get(file.path) ?? new Map(), settings);
    // Git LFS stores a digest of all bytes, so its files need no check
    if (conversion?.type === 'other' && conversion.filter !== 'lfs') filtered.push(file);
    if (conversion?.type !== 'git') continue;
    if (index % FILES_IN_A_ROW === 0) await setImmediate();
    const bytes = readNow(absolutePath(folder, file.path));
    // gone or unreadable by now, and git did not list it as changed
    if (bytes === undefined || isCommitted(bytes, file)) continue;
    if (!isAsCheckedOut({ bytes, object: file.object }, conversion)) unlike.push(file.path);
  }
  const more = await unlikeFiltered(git, request, filtered);
  const all = [...unlike, ...more.paths];
  return { paths: all, notes: [...(all.length > 0 ? [onlyConverted(all.length)] : []), ...more.notes] };
}

/** Committed bytes cannot be lost, even where a checkout would write others. */
const isCommitted = (bytes: Buffer, { object }: IndexedFile) => objectId(bytes, object) === object;

/** Synchronous: 20,000 small files take a third of a second, and seconds with promises. */
function readNow(path: Buffer): Buffer | undefined {
  // opening a pipe would otherwise wait for a writer
  const flag = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
  return attempt(() => readFileSync(path, { flag }), undefined);
}

const onlyConverted = (count: number) =>
  `${count} ${count === 1 ? 'file differs' : 'files differ'} only in what git converts (line ends, $Id$, filters), so git status does not show ${count === 1 ? 'it' : 'them'}`;

function unchangedFiles(git: Git, scope: IndexScope, changed: ReadonlySet<string>): Promise<IndexedFile[]> {
  return readLines(git, { ...scope, args: ['ls-files', '--stage'] }, (line) => {
    const [, object = '', path = ''] = /^100\d{3} (\w+) 0\t(.*)$/.exec(line) ?? [];
    return path === '' || changed.has(path) ? undefined : { path, object };
  });
}

/** Filters are programs, so they run on a limited number of files. */
const MAX_FILES = 1_000;
const MAX_BYTES = 100_000_000;

interface Candidate extends IndexedFile {
  readonly bytes: Buffer;
}

/**
 * Of files that a filter or an encoding converts, those whose bytes a checkout would not write: a clean filter can drop
 * lines that then exist only in the file.
 */
async function unlikeFiltered(git: Git, request: UnlikeRequest, all: readonly IndexedFile[]): Promise<Unlike> {
  const candidates: Candidate[] = [];
  const unchecked: string[] = [];
  let total = 0;
  for (const file of all) {
    const place = absolutePath(request.scope.folder, file.path);
    const size = (await stat(place).catch(() => undefined))?.size;
    if (size === undefined) continue;
    if (candidates.length >= MAX_FILES || total + size > MAX_BYTES) {
      unchecked.push(shownPath(file.path));
      continue;
    }
    total += size;
    const bytes = await readFile(place).catch(() => undefined);
    if (bytes && !isCommitted(bytes, file)) candidates.push({ ...file, bytes });
  }
  const note = `${unchecked.length} unchanged files that a filter converts were not compared byte by byte, among them ${unchecked[0]}`;
  return { paths: await compare(git, request, candidates), notes: unchecked.length === 0 ? [] : [note] };
}

/** Checks the files out elsewhere. When a filter fails, the bytes of its files are kept. */
async function compare(git: Git, { scope, filters }: UnlikeRequest, candidates: readonly Candidate[]) {
  const paths = candidates.map(({ path }) => path);
  if (candidates.length === 0 || filters === 'off') return paths;
  await using temporary = await temporaryFolder('filtered');
  const args = ['checkout-index', '--force', '--quiet', `--prefix=${temporary.path}/`, '--stdin'];
  await git.run({ ...scope, args, input: paths });
  const unlike: string[] = [];
  for (const { path, bytes } of candidates) {
    const written = await readFile(absolutePath(temporary.path, path)).catch(() => undefined);
    if (!written?.equals(bytes)) unlike.push(path);
  }
  return unlike;
}
