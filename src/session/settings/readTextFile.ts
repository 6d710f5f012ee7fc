import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What came of reading a file that somebody else wrote. */
export type TextFile =
  | { readonly type: 'read'; readonly text: string; readonly bytes: number; readonly cut: boolean }
  | { readonly type: 'missing' }
  | { readonly type: 'unreadable'; readonly message: string };

/** Reads at most `maxBytes` of a regular file as UTF-8, without its byte order mark; `cut` when there was more. */
export async function readTextFile(path: string, maxBytes: number): Promise<TextFile> {
  try {
    // Non-blocking, because opening a named pipe that a repository put there would otherwise wait for ever.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = await file.stat();
    if (!facts.isFile()) return { type: 'unreadable', message: 'it is not a regular file' };
    const bytes = await readUpTo(file, maxBytes + 1);
    const cut = bytes.length > maxBytes;
    const text = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: cut });
    return { type: 'read', text, bytes: Math.max(facts.size, bytes.length), cut };
  } catch (error) {
    return explain(error);
  }
}

async function readUpTo(file: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < limit) {
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, limit - total));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks);
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go in a circle',
  ENXIO: 'it is not a regular file',
};

function explain(error: unknown): TextFile {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { type: 'missing' };
  return { type: 'unreadable', message: WORDS[code] ?? (error instanceof Error ? error.message : String(error)) };
}
