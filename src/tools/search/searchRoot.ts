import { stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { describeFileError } from '../files/fileError.ts';
import type { ToolContext } from '../toolContext.ts';
import type { RipgrepEnd } from './ripgrep.ts';

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
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? missingRoot('Path', path, current) : describeFileError('search', path, error);
  }
}

export const missingRoot = (what: 'Path' | 'Directory', path: string, current: string): string =>
  `${what} does not exist: ${path}. Note: your current working directory is ${current}.`;

function shownPath(path: string, current: string): string {
  const fromHere = relative(current, path);
  return fromHere === '..' || fromHere.startsWith('../') || isAbsolute(fromHere) ? path : fromHere;
}

/** Paths by modification time, newest first, then by name. Missing files come last. */
export async function newestFirst(paths: readonly string[], root: string): Promise<readonly string[]> {
  const timed = await Promise.all(
    paths.map(async (path) => {
      const entry = await stat(join(root, path)).catch(() => undefined);
      return { path, mtimeMs: entry?.mtimeMs ?? 0 };
    }),
  );
  timed.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.path < b.path ? -1 : 1));
  return timed.map(({ path }) => path);
}

export const HIDDEN_NOTE = 'Files that permission rules hide were left out.';

/** How ripgrep ends an entry: a path alone, or a path and a line. */
type EntryEnd = '\0' | '\n';

/** Removes what permission rules hide, with a note. */
export function withoutHidden(end: RipgrepEnd, root: SearchRoot, { mayShow }: ToolContext, by: EntryEnd): RipgrepEnd {
  if (end.type === 'failed' || mayShow === undefined || root.target !== '.') return end;
  const entries = end.text.split(by);
  const known = new Map<string, boolean>();
  const shown = entries.filter((entry) => {
    const path = by === '\0' ? entry.trim() : entry.slice(0, Math.max(0, entry.indexOf('\0')));
    if (path === '') return true;
    if (!known.has(path)) known.set(path, mayShow(join(root.cwd, path)));
    return known.get(path);
  });
  if (shown.length === entries.length) return end;
  return { ...end, text: withoutEmptyGroups(shown).join(by), notes: [...end.notes, HIDDEN_NOTE] };
}

/** `--` separates groups of lines: not at the start, at the end, or twice. */
function withoutEmptyGroups(lines: readonly string[]): readonly string[] {
  return lines.filter(
    (line, at) => line !== '--' || (at > 0 && lines[at - 1] !== '--' && (lines[at + 1] ?? '') !== ''),
  );
}
