import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { describeFileError } from '../files/fileError.ts';

export interface SearchRoot {
  readonly cwd: string;
  /** One file in `cwd`, or `.` for everything. */
  readonly target: string;
  /** A path below `cwd` for display: relative inside the current directory, else absolute. */
  show(path: string): string;
}

/** Where a search starts, or why it cannot. */
export async function searchRoot(path: string, current: string): Promise<SearchRoot | string> {
  try {
    const isDirectory = (await stat(path)).isDirectory();
    const cwd = isDirectory ? path : dirname(path);
    return { cwd, target: isDirectory ? '.' : basename(path), show: (below) => shownPath(join(cwd, below), current) };
  } catch (error) {
    return describeFileError('search', path, error);
  }
}

function shownPath(path: string, current: string): string {
  const fromHere = relative(current, path);
  return fromHere === '..' || fromHere.startsWith('../') || isAbsolute(fromHere) ? path : fromHere;
}
