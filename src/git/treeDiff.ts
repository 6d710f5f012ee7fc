import type { Git, GitFailure } from './git.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly object: string;
}

/** One path that differs between two trees; undefined where a tree does not have it. */
export interface TreeChange {
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** By path, as git quotes it. */
export type TreeDiff = ReadonlyMap<string, TreeChange>;

const LINE = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\d*\t(.*)$/;
const GONE = '000000';

/** Every file that differs between two trees; index and worktree are not read. */
export async function diffTrees(
  git: Git,
  folder: string,
  [from, to]: readonly [string, string],
): Promise<{ readonly type: 'diff'; readonly changes: TreeDiff } | GitFailure> {
  const changes = new Map<string, TreeChange>();
  const onLine = (line: string) => {
    const [, modeBefore = GONE, modeAfter = GONE, before = '', after = '', path] = LINE.exec(line) ?? [];
    if (path === undefined) return;
    changes.set(path, { before: entry(modeBefore, before), after: entry(modeAfter, after) });
  };
  const args = ['diff-tree', '-r', '--raw', '--no-renames', '--no-abbrev', '--end-of-options', from, to];
  const end = await git.run({ folder, args, onLine });
  return end.type === 'failed' ? end : { type: 'diff', changes };
}

const entry = (mode: string, object: string) => (mode === GONE ? undefined : { mode, object });
