import { type Change, type ChangeList, untracked } from './changes.ts';
import { type Git, type GitError, readLines } from './git.ts';
import type { Mirror } from './mirror.ts';
import { folderPath } from './quotedPath.ts';
import type { WorkTree } from './workTree.ts';

/** Files that editors, desktops and agents leave in any folder, and no check reads. */
const DROPPINGS = ['.DS_Store', 'Thumbs.db', '*.swp', '*.swo', '*~', '.#*', '.idea/workspace.xml'];
/** Claude Code writes the user's answers there, `stopgate launch` its hooks. */
const LOCAL_SETTINGS = '.claude/settings.local.json';

/** Folders that tools fill and hide with a .gitignore of their own inside. */
const CACHES =
  /(^|\/)(\.cache|\.gradle|\.mypy_cache|\.next|\.pytest_cache|\.ruff_cache|\.tox|\.venv|__pycache__|node_modules|venv)\//;

export interface MirrorList extends ChangeList {
  /** Ignored by .gitignore files, quoted; a folder that is ignored as a whole ends in a slash. */
  readonly ignored: readonly string[];
  /** Folders, quoted, without tracked files that no rule ignores: they may be empty. */
  readonly folders: readonly string[];
}

/**
 * Every file that may differ from the commit. Unlike `git status` this does not compare contents, because git compares
 * them after conversion: a tracked file is listed when it was touched, and the caller reads it.
 */
export async function listMirrorChanges(mirror: Mirror, maxUntracked: number): Promise<MirrorList> {
  const submodule = { type: 'submodule', isDirty: true, isMoved: true } as const;
  const changes: Change[] = mirror.facts.submodules.map((path) => ({ ...submodule, path }));
  const args = ['diff-files', '--raw', '--no-renames', '--ignore-submodules=all'];
  let files = 0;
  const onFile = (line: string) => {
    const change = untracked(line);
    if (change.type === 'repository' || ++files <= maxUntracked) changes.push(change);
  };
  const [{ ignored, folders }] = await Promise.all([
    listOthers(mirror, onFile),
    mirror.run(args, { onLine: (line) => changes.push(...readRaw(line)) }),
  ]);
  return { changes, ignored, folders, uncounted: Math.max(0, files - maxUntracked), unreadable: [] };
}

/**
 * What is not tracked. A walk through a large worktree takes a third of a `git status`, so there is only one, without any
 * rule: what it finds, with whole folders as one entry, is all that the two lists can contain.
 */
async function listOthers({ run }: Mirror, onFile: (line: string) => void) {
  const list = (args: readonly string[], onLine: (line: string) => void) =>
    run(['ls-files', '--others', ...args], { onLine });
  const found: string[] = [];
  await list(['--directory'], (line) => found.push(line));
  const ignored: string[] = [];
  if (found.length === 0) return { folders: [], ignored };
  const within = pathspecs(found);
  const rules = '--exclude-per-directory=.gitignore';
  const droppings = [...DROPPINGS, LOCAL_SETTINGS].map((pattern) => `--exclude=${pattern}`);
  await Promise.all([
    list([rules, ...droppings, ...within], onFile),
    list([rules, ...droppings, '--ignored', '--directory', ...within], (line) => ignored.push(line)),
  ]);
  const hidden = new Set(ignored);
  const folders = found.flatMap((line) => (hidden.has(line) ? [] : (folderPath(line) ?? [])));
  return { folders, ignored };
}

const MAX_PATHSPECS = 1_000;

/** Arguments that keep git to these paths; none, for the whole worktree, when they are too many or not plain text. */
function pathspecs(paths: readonly string[]): readonly string[] {
  if (paths.length > MAX_PATHSPECS || paths.some((path) => path.startsWith('"'))) return [];
  return ['--', ...paths.map((path) => `:(literal)${folderPath(path) ?? path}`)];
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
