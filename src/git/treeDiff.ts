import { type Git, readLines } from './git.ts';

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

/** Every file that differs between two trees; index and worktree are not read. Rejects when git cannot compare them. */
export async function diffTrees(git: Git, folder: string, trees: readonly [string, string]): Promise<TreeDiff> {
  const args = ['diff-tree', '-r', '--raw', '--no-renames', '--no-abbrev', '--end-of-options', ...trees];
  const changes = await readLines(git, { folder, args }, (line): [string, TreeChange] | undefined => {
    const [, modeBefore = GONE, modeAfter = GONE, before = '', after = '', path] = LINE.exec(line) ?? [];
    return path === undefined
      ? undefined
      : [path, { before: entry(modeBefore, before), after: entry(modeAfter, after) }];
  });
  return new Map(changes);
}

const entry = (mode: string, object: string) => (mode === GONE ? undefined : { mode, object });

/** Paths whose staged version is neither committed nor in its file: only the index has it. `tree` is that of the files. */
export async function stagedApart(
  git: Git,
  folder: string,
  {
    headTree,
    indexTree,
    tree,
  }: Readonly<Record<'headTree' | 'tree', string>> & { readonly indexTree: string | undefined },
): Promise<string[]> {
  if (indexTree === undefined || indexTree === headTree || indexTree === tree) return [];
  const diffs = [diffTrees(git, folder, [headTree, indexTree]), diffTrees(git, folder, [indexTree, tree])] as const;
  const [staged, unstaged] = await Promise.all(diffs).catch(() => [new Map(), new Map()] as [TreeDiff, TreeDiff]);
  return [...staged].filter(([path, { after }]) => after && unstaged.has(path)).map(([path]) => path);
}
