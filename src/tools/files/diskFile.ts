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

type LoadedFile =
  | { readonly type: 'file'; readonly realPath: string; readonly bytes: Buffer; readonly digest: string }
  | { readonly type: 'missing' }
  /** It exists but cannot be used. */
  | { readonly type: 'unusable'; readonly message: string };

/** A complete regular file, with the digest that detects a later change. */
export async function loadFile(path: string): Promise<LoadedFile> {
  try {
    const entry = await stat(path);
    const message = entry.isFile() ? whyTooLarge(path, entry.size) : whyNotAFile(path, entry.isDirectory());
    if (message !== null) return { type: 'unusable', message };
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

/** Null when a file may be written, else why not. A `touch` alone does not make it stale. */
export function whyNotOverwrite(path: string, file: LoadedFile, readFiles: ReadFiles): string | null {
  if (file.type === 'missing') return null;
  if (file.type === 'unusable') return file.message;
  const seen = readFiles.get(file.realPath);
  if (!seen) return `${path} was not read in this session. Read it first, then change it.`;
  return seen === file.digest ? null : `${path} was changed after it was read. Read it again, then change it.`;
}

const digestOf = (bytes: Buffer) => hash('sha256', bytes, 'base64');

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
