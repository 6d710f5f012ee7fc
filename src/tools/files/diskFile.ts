import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { readByteFile } from '../../system/readTextFile.ts';
import { describeFileError } from './fileError.ts';
import type { ReadFiles, SeenFile } from './readFiles.ts';

/** Larger files are for Grep or the shell, not for a conversation. */
const MAX_BYTES = 50 * 1024 * 1024;

export type LoadedFile =
  | { readonly type: 'file'; readonly realPath: string; readonly bytes: Buffer; readonly seen: SeenFile }
  | { readonly type: 'missing' }
  /** It exists but cannot be used. */
  | { readonly type: 'unusable'; readonly message: string };

/** A complete regular file, with the facts that detect a later change. */
export async function loadFile(path: string): Promise<LoadedFile> {
  try {
    const entry = await stat(path);
    const message = entry.isFile() ? whyTooLarge(path, entry.size) : whyNotAFile(path, entry.isDirectory());
    if (message !== null) return { type: 'unusable', message };
    const read = await readByteFile(path, MAX_BYTES);
    if (read.type === 'missing') return read;
    if (read.type === 'unreadable') return { type: 'unusable', message: `${path} cannot be read: ${read.message}.` };
    if (read.cut) return { type: 'unusable', message: whyTooLarge(path, MAX_BYTES + 1) ?? '' };
    const { bytes, facts } = read;
    return { type: 'file', realPath: await realpath(path), bytes, seen: seenFile(bytes, facts.mtimeMs) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { type: 'missing' };
    return { type: 'unusable', message: describeFileError('read', path, error) };
  }
}

/** Writes a file and remembers it as read. Returns the error as a sentence. */
export async function storeFile(path: string, bytes: Buffer, readFiles: ReadFiles): Promise<string | null> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomically(path, bytes);
    readFiles.remember(await realpath(path), seenFile(bytes, (await stat(path)).mtimeMs));
    return null;
  } catch (error) {
    return describeFileError('write', path, error);
  }
}

function seenFile(bytes: Buffer, mtimeMs: number): SeenFile {
  return { mtimeMs, size: bytes.length, digest: createHash('sha256').update(bytes).digest('base64') };
}

function whyNotAFile(path: string, isDirectory: boolean): string {
  return isDirectory
    ? `${path} is a directory, not a file. List it with Glob or \`ls\`.`
    : `${path} is not a regular file (a device, a pipe or a socket).`;
}

function whyTooLarge(path: string, size: number): string | null {
  if (size <= MAX_BYTES) return null;
  const megabytes = Math.round(size / 1024 / 1024);
  return `${path} has ${megabytes} MB, more than the limit of ${MAX_BYTES / 1024 / 1024} MB. Search it with Grep, or print a part with \`sed -n\`.`;
}
