import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

export type TextFile =
  | { readonly type: 'read'; readonly text: string; readonly bytes: number; readonly cut: boolean }
  | { readonly type: 'missing' }
  /** A clause: `it is a folder`. */
  | { readonly type: 'unreadable'; readonly message: string };

export type ByteFile =
  | { readonly type: 'read'; readonly bytes: Buffer; readonly cut: boolean; readonly facts: Stats }
  | NotRead;

type NotRead = Exclude<TextFile, { type: 'read' }>;

/**
 * Non-blocking, because opening a named pipe would otherwise wait forever. The type is read from the open file, because
 * another file can take the name meanwhile.
 */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;
const CHUNK_BYTES = 64 * 1024;

/** Reads at most `maxBytes` of a regular file; `cut` when there was more. */
export async function readByteFile(path: string, maxBytes: number): Promise<ByteFile> {
  try {
    await using file = await open(path, FLAGS);
    const facts = await file.stat();
    if (!facts.isFile()) return unreadable(facts);
    // `end` is the last byte that is read
    const bytes = Buffer.concat(await file.createReadStream({ end: maxBytes, autoClose: false }).toArray());
    return { type: 'read', bytes: bytes.subarray(0, maxBytes), cut: bytes.length > maxBytes, facts };
  } catch (error) {
    return explain(error);
  }
}

/** As UTF-8, without a byte order mark. */
export async function readTextFile(path: string, maxBytes: number): Promise<TextFile> {
  return asText(await readByteFile(path, maxBytes));
}

/** For code that runs at every event and must not wait for a thread. */
export function readTextFileSync(path: string, maxBytes: number): TextFile {
  return asText(readByteFileSync(path, maxBytes));
}

/** The text of a small file, or its beginning; empty when it cannot be read. */
export function textIn(path: string, maxBytes = 1_000_000): string {
  const read = readTextFileSync(path, maxBytes);
  return read.type === 'read' ? read.text : '';
}

/** The last whole lines of a text file; `cut` when there were more before them. */
export function readLastLinesSync(path: string, maxBytes: number): TextFile {
  return withOpenFile(path, (descriptor, facts) => {
    const start = Math.max(0, facts.size - maxBytes);
    const bytes = Buffer.alloc(facts.size - start);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, start));
    // the first line is a part of one
    return {
      type: 'read',
      text: start > 0 ? text.slice(text.indexOf('\n') + 1) : text,
      bytes: facts.size,
      cut: start > 0,
    };
  });
}

export function readByteFileSync(path: string, maxBytes: number): ByteFile {
  return withOpenFile(path, (descriptor, facts) => {
    const bytes = readUpToSync(descriptor, maxBytes + 1);
    return { type: 'read', bytes: bytes.subarray(0, maxBytes), cut: bytes.length > maxBytes, facts };
  });
}

/** What a function reads from a regular file. */
export function withOpenFile<Read>(path: string, read: (descriptor: number, facts: Stats) => Read): Read | NotRead {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, FLAGS);
    const facts = fstatSync(descriptor);
    return facts.isFile() ? read(descriptor, facts) : unreadable(facts);
  } catch (error) {
    return explain(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function asText(file: ByteFile): TextFile {
  if (file.type !== 'read') return file;
  const { bytes, cut, facts } = file;
  const text = new TextDecoder().decode(bytes, { stream: cut });
  return { type: 'read', text, bytes: Math.max(facts.size, bytes.length), cut };
}

function readUpToSync(descriptor: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < limit) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, limit - total));
    const count = readSync(descriptor, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    total += count;
  }
  return Buffer.concat(chunks);
}

const unreadable = (facts: Stats) =>
  ({ type: 'unreadable', message: facts.isDirectory() ? 'it is a folder' : 'it is not a regular file' }) as const;

const REASONS = new Map([
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'its symbolic links go in a circle'],
  // a socket
  ['ENXIO', 'it is not a regular file'],
]);

function explain(error: unknown): NotRead {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { type: 'missing' };
  return { type: 'unreadable', message: REASONS.get(code) ?? (error instanceof Error ? error.message : String(error)) };
}
