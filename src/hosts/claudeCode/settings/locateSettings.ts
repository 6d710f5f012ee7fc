import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { readByteFile } from '../../../system/readTextFile.ts';
import { ABSENT, type FileState } from './fileState.ts';

/** Editing keeps every byte in its place, which takes its time on large files. */
const LARGEST_BYTES = 1_000_000;

export interface LocatedSettings {
  readonly type: 'located';
  /** Without symbolic links; the file, and even its folder, need not be there. */
  readonly file: string;
  readonly folderIsThere: boolean;
  readonly state: FileState;
  /** Sentences for the person who called: a link that was followed. */
  readonly notes: readonly string[];
}

export interface RefusedSettings {
  readonly type: 'refused';
  /** One sentence: the file, what is wrong with it, what to do. */
  readonly reason: string;
}

/**
 * Finds the file that a settings path means and reads it whole. With `within`, links may not lead out of that folder: a
 * repository can have one, and the file it names would be written.
 */
export async function locateSettings(file: string, within?: string): Promise<LocatedSettings | RefusedSettings> {
  const found = await locate(file);
  if (found.type === 'refused' || within === undefined) return found;
  const folder = await realpath(within).catch(() => path.resolve(within));
  if (found.file.startsWith(`${folder}${path.sep}`)) return found;
  return refused(file, `leads by a symbolic link to ${found.file}, outside of ${folder}`, 'replace the link by a file');
}

async function locate(file: string): Promise<LocatedSettings | RefusedSettings> {
  try {
    const entry = await statOf(file);
    if (entry?.isSymbolicLink()) return await followed(file);
    if (entry) return await located(await realpath(file), []);
    const folder = path.dirname(file);
    const folderIsThere = (await statOf(folder)) !== undefined;
    const real = folderIsThere
      ? await realpath(folder)
      : path.join(await realpath(path.dirname(folder)), path.basename(folder));
    return { type: 'located', file: path.join(real, path.basename(file)), folderIsThere, state: ABSENT, notes: [] };
  } catch (error) {
    return refused(file, `cannot be read (${(error as Error).message})`, 'fix that and run this again');
  }
}

async function followed(link: string): Promise<LocatedSettings | RefusedSettings> {
  const target = await realpath(link).catch(() => undefined);
  if (target) return located(target, [`${link} is a symbolic link; the file it names, ${target}, is the one written.`]);
  return refused(link, 'is a symbolic link to a file that is not there', 'create that file or remove the link');
}

async function located(file: string, notes: readonly string[]): Promise<LocatedSettings | RefusedSettings> {
  const read = await readByteFile(file, LARGEST_BYTES);
  if (read.type === 'unreadable' && /folder|regular/.test(read.message)) {
    return refused(file, 'is not a regular file', 'move it away and run this again');
  }
  if (read.type !== 'read') {
    const why = read.type === 'missing' ? 'it is gone' : read.message;
    return refused(file, `cannot be read (${why})`, 'fix that and run this again');
  }
  if (read.cut) return refused(file, 'is larger than 1 MB, which no settings file is', 'look at what is in it');
  return { type: 'located', file, folderIsThere: true, state: { type: 'bytes', bytes: read.bytes }, notes };
}

export function refused(file: string, what: string, next: string): RefusedSettings {
  return { type: 'refused', reason: `${file} ${what}; ${next}. Nothing was changed.` };
}

async function statOf(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
