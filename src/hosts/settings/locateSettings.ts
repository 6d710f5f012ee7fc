import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { readByteFile } from '../../system/readTextFile.ts';
import { ABSENT, type FileState } from './fileState.ts';

/** Edits that preserve every byte are slow on large files. */
const LARGEST_BYTES = 1_000_000;

export interface LocatedSettings {
  readonly type: 'located';
  /** The real path; neither the file nor its folder need exist. */
  readonly file: string;
  /** The outermost folder that writing the file would create. */
  readonly newFolder: string | undefined;
  readonly state: FileState;
  /** For the person who ran the command: a link that was followed. */
  readonly notes: readonly string[];
}

export interface RefusedSettings {
  readonly type: 'refused';
  /** One sentence: the file, the problem, the fix. */
  readonly reason: string;
}

/**
 * Resolves a settings path and reads the file. With `within`, links may not lead out of that folder: a repository could
 * contain one, and its target would be written.
 */
export async function locateSettings(file: string, within?: string): Promise<LocatedSettings | RefusedSettings> {
  const found = await locate(file);
  if (found.type === 'refused' || within === undefined) return found;
  const folder = await realpath(within).catch(() => path.resolve(within));
  if (found.file.startsWith(`${folder}${path.sep}`)) return found;
  return refused(file, `is a symbolic link to ${found.file}, outside of ${folder}`, 'replace the link by a file');
}

async function locate(file: string): Promise<LocatedSettings | RefusedSettings> {
  try {
    const entry = await statOf(file);
    if (entry?.isSymbolicLink()) return await followed(file);
    if (entry) return await located(await realpath(file), []);
    const { real, newFolder } = await realFolder(path.dirname(file));
    return { type: 'located', file: path.join(real, path.basename(file)), newFolder, state: ABSENT, notes: [] };
  } catch (error) {
    return refused(file, `cannot be read (${(error as Error).message})`, 'fix that and run this again');
  }
}

/** The real path of a folder that need not exist, by its nearest parent that does. */
async function realFolder(folder: string): Promise<{ readonly real: string; readonly newFolder: string | undefined }> {
  if (await statOf(folder)) return { real: await realpath(folder), newFolder: undefined };
  const parent = await realFolder(path.dirname(folder));
  const real = path.join(parent.real, path.basename(folder));
  return { real, newFolder: parent.newFolder ?? real };
}

async function followed(link: string): Promise<LocatedSettings | RefusedSettings> {
  const target = await realpath(link).catch(() => undefined);
  if (target) return located(target, [`${link} is a symbolic link; its target ${target} is written.`]);
  return refused(link, 'is a symbolic link to a missing file', 'create that file or remove the link');
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
  if (read.cut) return refused(file, 'is larger than 1 MB, too large for a settings file', 'check its content');
  return { type: 'located', file, newFolder: undefined, state: { type: 'bytes', bytes: read.bytes }, notes };
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
