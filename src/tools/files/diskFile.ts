import { hash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { readByteFile } from '../../system/readTextFile.ts';
import { describeFileError } from './fileError.ts';

/** Larger files are for Grep or the shell, not for a conversation. */
const MAX_BYTES = 50 * 1024 * 1024;

/** Digests of the files that an agent has read or written in this session, by real path; it may overwrite only these. */
export type ReadFiles = Map<string, string>;

export type LoadedFile =
  | { readonly type: 'file'; readonly realPath: string; readonly bytes: Buffer; readonly digest: string }
  | { readonly type: 'missing' }
  /** It exists but cannot be used. */
  | { readonly type: 'unusable'; readonly message: string; readonly isFolder?: boolean };

/** A complete regular file, with the digest that detects a later change. */
export async function loadFile(path: string): Promise<LoadedFile> {
  try {
    const entry = await stat(path);
    const message = entry.isFile() ? whyTooLarge(path, entry.size) : whyNotAFile(path, entry.isDirectory());
    if (message !== null) return { type: 'unusable', message, isFolder: entry.isDirectory() };
    const read = await readByteFile(path, MAX_BYTES);
    if (read.type === 'missing') return read;
    if (read.type === 'unreadable') return { type: 'unusable', message: `${path} cannot be read: ${read.message}.` };
    if (read.cut) return { type: 'unusable', message: whyTooLarge(path, MAX_BYTES + 1) ?? '' };
    const { bytes } = read;
    return { type: 'file', realPath: await realpath(path), bytes, digest: digestOf(bytes) };
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
    readFiles.set(await realpath(path), digestOf(bytes));
    return null;
  } catch (error) {
    return describeFileError('write', path, error);
  }
}

/** What an agent knows of a file: nothing, what it is now, or an earlier state. A `touch` alone makes nothing stale. */
export function knowledgeOf(
  { realPath, digest }: Extract<LoadedFile, { type: 'file' }>,
  readFiles: ReadFiles,
): 'unread' | 'current' | 'stale' {
  const seen = readFiles.get(realPath);
  if (seen === undefined) return 'unread';
  return seen === digest ? 'current' : 'stale';
}

/** What the model reads beside a change that leaves it with nothing to read again. */
export const IS_CURRENT = ' (file state is current in your context — no need to Read it back)';
export const NOT_READ = 'File has not been read yet. Read it first before writing to it.';
export const CHANGED_SINCE =
  'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.';

const digestOf = (bytes: Buffer) => hash('sha256', bytes, 'base64');

function whyNotAFile(path: string, isDirectory: boolean): string {
  return isDirectory
    ? `EISDIR: illegal operation on a directory, read '${path}'`
    : `${path} is not a regular file (a device, a pipe or a socket).`;
}

function whyTooLarge(path: string, size: number): string | null {
  if (size <= MAX_BYTES) return null;
  const megabytes = Math.round(size / 1024 / 1024);
  return `${path} has ${megabytes} MB, more than the limit of ${MAX_BYTES / 1024 / 1024} MB. Search it with Grep, or print a part with \`sed -n\`.`;
}
