import { type Change, type ChangeList, untracked } from './changes.ts';
import { type Git, type GitError, readLines } from './git.ts';
import { listOthers, type Others } from './listOthers.ts';
import type { Mirror } from './mirror.ts';
import type { WorkTree } from './workTree.ts';

/** Folders that tools fill and hide with a .gitignore of their own inside. */
const CACHES =
  /(^|\/)(\.cache|\.gradle|\.mypy_cache|\.next|\.pytest_cache|\.ruff_cache|\.tox|\.venv|__pycache__|node_modules|venv)\//;

export type MirrorList = ChangeList & Pick<Others, 'ignored' | 'folders'>;

/**
 * Every file that may differ from the commit. Unlike `git status` this does not compare contents, because git compares
 * them after conversion: a tracked file is listed when it was touched, and the caller reads it.
 */
export async function listMirrorChanges(mirror: Mirror, maxUntracked: number): Promise<MirrorList> {
  const submodule = { type: 'submodule', isDirty: true, isMoved: true } as const;
  const changes: Change[] = mirror.facts.submodules.map((path) => ({ ...submodule, path }));
  const args = ['diff-files', '--raw', '--no-renames', '--ignore-submodules=all'];
  // first what takes the longest
  const touched = mirror.run(args, { onLine: (line) => changes.push(...readRaw(line)) });
  const [{ files, ...others }] = await Promise.all([listOthers(mirror, maxUntracked), touched]);
  for (const file of files) changes.push(untracked(file));
  return { changes, ...others, unreadable: [] };
}

/** `:100644 100644 <object> 0000000 M\tpath` */
function readRaw(line: string): readonly Change[] {
  const [, mode = '', object = '', status = '', path = ''] = /^:(\d+) \d+ (\w+) \w+ (\w)\t(.*)$/.exec(line) ?? [];
  if (path === '') return [];
  return [status === 'D' ? { type: 'deleted', path } : { type: 'tracked', path, inHead: { mode, object } }];
}

const isRules = (path: string) => /(^|\/)\.gitignore"?$/.test(path);

/** The .gitignore files that differ between an earlier commit and HEAD; none when the earlier commit is gone. */
export async function rulesSince(
  git: Git,
  { topLevel, head }: WorkTree,
  since: string | undefined,
): Promise<readonly string[]> {
  if (since === undefined || head === undefined || since === head) return [];
  const args = ['diff-tree', '-r', '--name-only', '--no-renames', '--end-of-options', since, head];
  const read = (line: string) => (isRules(line) ? line : undefined);
  return await readLines(git, { folder: topLevel, args }, read).catch((error: GitError) => {
    // a commit that a rebase left behind may have been collected
    if (/bad object|unknown revision|invalid object/i.test(error.failure?.stderr)) return [];
    throw error;
  });
}

/**
 * Of the ignored paths, those that only a changed .gitignore hides: an agent can write one that hides itself and any
 * other file. `changed` are the paths that are known to differ.
 */
export async function hiddenByNewRules(
  mirror: Mirror,
  { ignored, changed }: { readonly ignored: readonly string[]; readonly changed: readonly string[] },
): Promise<readonly string[]> {
  const rules = new Set([...changed, ...ignored].filter(isRules));
  // git takes an empty line for a path, and fails
  if (rules.size === 0 || ignored.length === 0) return [];
  const hidden: string[] = [];
  const onLine = (line: string) => {
    const [, source = '', path = ''] = /^(.*?):\d+:.*\t(.*)$/.exec(line) ?? [];
    if (rules.has(source) && !CACHES.test(`${path}/`)) hidden.push(path);
  };
  // exits 1 when none is ignored
  await mirror.run(['check-ignore', '--verbose', '--stdin'], { input: ignored, onLine, okCodes: [1] });
  return hidden;
}
