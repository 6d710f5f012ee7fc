import { dirname, join, resolve } from 'node:path';
import { readByteFileSync, readTextFileSync } from '../system/readTextFile.ts';

const MAX_INDEX_BYTES = 16 * 1024 * 1024;
const MAX_KEPT = 8;

/** An index is read again only when it changed: most lines of a session ask about the same one. */
const kept = new Map<string, { readonly state: string; readonly paths: readonly string[] | undefined }>();

/**
 * Absolute paths of the files that the repository around a folder tracks, read from its index; none without a
 * repository, undefined when the index is too large or of a form that is not read here.
 */
export function trackedFiles(folder: string): readonly string[] | undefined {
  const repository = repositoryOf(folder);
  if (repository === undefined) return [];
  const file = readByteFileSync(join(repository.gitDir, 'index'), MAX_INDEX_BYTES);
  if (file.type === 'missing') return [];
  if (file.type !== 'read' || file.cut) return undefined;
  const { ino, size, mtimeMs } = file.facts;
  const state = `${ino} ${size} ${mtimeMs}`;
  const before = kept.get(repository.gitDir);
  if (before?.state === state) return before.paths;
  const paths = indexPaths(file.bytes)?.map((path) => join(repository.top, path));
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(repository.gitDir, { state, paths });
  return paths;
}

function repositoryOf(folder: string): { readonly top: string; readonly gitDir: string } | undefined {
  for (let top = resolve(folder); ; top = dirname(top)) {
    const link = readTextFileSync(join(top, '.git'), 4096);
    const [, elsewhere] = link.type === 'read' ? (/^gitdir: (.*)$/m.exec(link.text) ?? []) : [];
    if (elsewhere !== undefined) return { top, gitDir: resolve(top, elsewhere.trim()) };
    if (link.type !== 'missing') return { top, gitDir: join(top, '.git') };
    if (top === dirname(top)) return undefined;
  }
}

const HEADER_BYTES = 12;
/** Before the object's name: times, device, inode, mode, owner, size. */
const STAT_BYTES = 40;
const EXTENDED = 0x4000;

/** The paths in an index of git, versions 2 to 4; undefined for another form. */
export function indexPaths(bytes: Buffer): readonly string[] | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (version < 2 || version > 4) return undefined;
  // objects have names of 20 bytes, or of 32 in a repository with SHA-256
  return entryPaths(bytes, version, count, 20) ?? entryPaths(bytes, version, count, 32);
}

function entryPaths(bytes: Buffer, version: number, count: number, hash: number): readonly string[] | undefined {
  const paths: string[] = [];
  let at = HEADER_BYTES;
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + STAT_BYTES + hash;
    if (flagsAt + 2 > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(flagsAt);
    const extended = version > 2 && (flags & EXTENDED) !== 0;
    let start = flagsAt + (extended ? 4 : 2);
    let shared = '';
    if (version === 4) {
      const strip = readOffset(bytes, start);
      const before = Buffer.from(paths.at(-1) ?? '');
      if (strip === undefined || strip.value > before.length) return undefined;
      shared = before.toString('utf8', 0, before.length - strip.value);
      start = strip.end;
    }
    const end = bytes.indexOf(0, start);
    const path = end < 0 ? '' : shared + bytes.toString('utf8', start, end);
    // a folder as an entry stands for files that are not listed; so does a length that does not fit
    if (path === '' || path.endsWith('/') || !hasLength(flags & 0xfff, Buffer.byteLength(path))) return undefined;
    paths.push(path);
    at = version === 4 ? end + 1 : at + (((end - at + 8) >> 3) << 3);
  }
  // a `link` extension names another file with more entries
  return bytes.indexOf('link', at, 'latin1') === at ? undefined : paths;
}

const hasLength = (noted: number, length: number) => noted === Math.min(length, 0xfff);

/** The number of bytes to drop from the path before, as git writes offsets in packs. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly end: number } | undefined {
  let at = from;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  for (; (byte & 0x80) !== 0; value = ((value + 1) << 7) | (byte & 0x7f)) {
    if (at >= bytes.length || at - from > 4) return undefined;
    byte = bytes[at++] ?? 0;
  }
  return { value, end: at };
}
