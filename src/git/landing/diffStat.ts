import { type Git, outputOf, readLines } from '../git.ts';
import { shownPath } from '../quotedPath.ts';
import { oneLine } from '../workTree.ts';

interface FileStat {
  readonly path: string;
  /** Null for a binary file. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface DiffStat {
  readonly files: readonly FileStat[];
  readonly added: number;
  readonly removed: number;
}

/** What some work changed. */
export interface DiffRange {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
}

/** Since the commit that it started from; without one, all that its last commit changed. */
export const diffOf = (
  folder: string,
  { base, commit }: { readonly base: string | undefined; readonly commit: string },
): DiffRange => ({ folder, from: base ?? `${commit}^`, to: commit });

const LINE = /^(\d+|-)\t(\d+|-)\t(.*)$/;

/** Null when git cannot compare them. */
export async function diffStat(git: Git, range: DiffRange): Promise<DiffStat | null> {
  const { folder, from, to } = range;
  const args = ['diff-tree', '-r', '--numstat', '--no-renames', '--no-ext-diff', '--no-textconv', from, to];
  const read = (line: string): FileStat | undefined => {
    const [, added = '', removed = '', path] = LINE.exec(line) ?? [];
    if (path === undefined) return undefined;
    return { path: shownPath(path), added: countOf(added), removed: countOf(removed) };
  };
  const files = await readLines(git, { folder, args }, read).catch(() => null);
  const sum = (of: (file: FileStat) => number | null) =>
    (files ?? []).reduce((total, file) => total + (of(file) ?? 0), 0);
  return files && { files, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}

const countOf = (text: string) => (text === '-' ? null : Number(text));

/** The diff itself, as text; rejects when git cannot compare them, or when it is larger than 4 MB. */
export const diffText = (git: Git, { folder, from, to }: DiffRange): Promise<string> =>
  outputOf(git, {
    folder,
    args: ['diff-tree', '-r', '-p', '-M', '--no-color', '--no-ext-diff', '--no-textconv', from, to],
  });

/** The subjects of the commits, oldest first. */
export async function subjectsOf(git: Git, { folder, from, to }: DiffRange): Promise<readonly string[]> {
  const args = ['rev-list', '--reverse', '--max-count=50', '--pretty=format:%h %s', '--no-commit-header'];
  const text = await oneLine(git, folder, [...args, `${from}..${to}`]);
  return text === undefined ? [] : text.split('\n');
}
