import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import picomatch from 'picomatch';
import { failureOf, type Git, readLines } from '../../git/git.ts';
import { pathBytes, shownPath } from '../../git/quotedPath.ts';
import type { TreeDigest } from '../../git/treeStates.ts';
import { readByteFileSync } from '../../system/readTextFile.ts';

/** The files of a worktree: HEAD, and what differs from it, by git's quoted path. */
export interface TreeState {
  readonly topLevel: string;
  readonly head: string | null;
  readonly differing: ReadonlyMap<string, string>;
}

/** A sentence where protected files cannot be compared. */
export function treeState(digest: TreeDigest): TreeState | string {
  if (digest.type === 'failed') return digest.reason;
  return digest.surroundings === '' ? `${digest.topLevel} is not in a git repository.` : digest;
}

/** The protected files when a session began: path, state, and for those that differed from HEAD the content in Base64, if small. */
export interface ProtectedStart {
  readonly files: readonly (readonly [path: string, state: string, content: string | null])[];
}

export interface ProtectedChange {
  readonly path: string;
  readonly how: 'edited' | 'deleted' | 'created';
  /** Unified; empty where no copy is left. */
  readonly diff: string;
}

const LARGEST_COPY = 256 * 1024;
const MOST_COPIES = 200;
const GONE: ReadonlySet<string | undefined> = new Set([undefined, 'deleted', 'gone']);

/** Whether a path of the worktree is protected; the globs start at the folder of the configuration. */
function matcher(protect: readonly string[], folder: string, topLevel: string): (quoted: string) => boolean {
  const isMatch = picomatch([...protect], { dot: true });
  return (quoted) => isMatch(path.relative(folder, path.join(topLevel, pathBytes(quoted).toString('utf8'))));
}

/** Every protected file with its state: as in HEAD, unless it differs. Rejects when git cannot list them. */
async function protectedStates(git: Git, tree: TreeState, isProtected: (quoted: string) => boolean) {
  const inHead = tree.head === null ? [] : await listTree(git, tree.topLevel, tree.head);
  const states = new Map([...inHead, ...tree.differing].filter(([quoted]) => isProtected(quoted)));
  return new Map([...states].filter(([, state]) => !GONE.has(state)));
}

const ENTRY = /^(\d{6}) \w+ ([0-9a-f]+)\t(.*)$/;

const listTree = (git: Git, folder: string, head: string) =>
  readLines(git, { folder, args: ['ls-tree', '-r', '--full-tree', head] }, (line) => {
    const [, mode = '', object = '', quoted] = ENTRY.exec(line) ?? [];
    return quoted === undefined ? undefined : ([quoted, `${mode} ${object}`] as const);
  });

export async function protectedStart(
  protect: readonly string[],
  { folder, tree, git }: { readonly folder: string; readonly tree: TreeState; readonly git: Git },
): Promise<ProtectedStart> {
  const states = await protectedStates(git, tree, matcher(protect, folder, tree.topLevel));
  let copies = 0;
  const files = [...states].map(([quoted, state]) => {
    const isCopied = tree.differing.has(quoted) && copies++ < MOST_COPIES;
    return [quoted, state, isCopied ? copyOf(quoted, tree.topLevel) : null] as const;
  });
  return { files };
}

function copyOf(quoted: string, topLevel: string): string | null {
  const read = readByteFileSync(path.join(topLevel, pathBytes(quoted).toString('utf8')), LARGEST_COPY);
  return read.type === 'read' && !read.cut ? read.bytes.toString('base64') : null;
}

/** Protected files that are not as they were. A sentence instead when that cannot be known. */
export async function protectedChanges(
  start: ProtectedStart,
  {
    protect,
    folder,
    tree,
    git,
  }: { readonly protect: readonly string[]; readonly folder: string; readonly tree: TreeState; readonly git: Git },
): Promise<readonly ProtectedChange[] | string> {
  try {
    const now = await protectedStates(git, tree, matcher(protect, folder, tree.topLevel));
    const before = new Map(start.files.map(([quoted, state, content]) => [quoted, { state, content }]));
    const found: ProtectedChange[] = [];
    for (const [quoted, { state, content }] of before) {
      if (now.get(quoted) === state) continue;
      const how = now.has(quoted) ? 'edited' : 'deleted';
      found.push({ path: shownPath(quoted), how, diff: await diffOf(quoted, { state, content }, { tree, git }) });
    }
    const created = [...now.keys()].filter((quoted) => !before.has(quoted));
    return [...found, ...created.map((quoted) => ({ path: shownPath(quoted), how: 'created' as const, diff: '' }))];
  } catch (error) {
    return failureOf(error).reason;
  }
}

/** Empty when the earlier content is gone; the block stands anyway. */
async function diffOf(
  quoted: string,
  { state, content }: { readonly state: string; readonly content: string | null },
  { tree, git }: { readonly tree: TreeState; readonly git: Git },
): Promise<string> {
  const before = content === null ? await blobOf(git, tree.topLevel, state) : decoded(content);
  if (before === null) return '';
  const now = readByteFileSync(path.join(tree.topLevel, pathBytes(quoted).toString('utf8')), LARGEST_COPY);
  const after = now.type === 'read' ? now.bytes.toString('utf8') : '';
  return createTwoFilesPatch(`start/${shownPath(quoted)}`, shownPath(quoted), before, after, '', '', { context: 2 });
}

const decoded = (content: string) => Buffer.from(content, 'base64').toString('utf8');

async function blobOf(git: Git, folder: string, state: string): Promise<string | null> {
  const [, object = ''] = state.split(' ');
  const shown = await git.run({ folder, args: ['cat-file', 'blob', object] });
  return shown.type === 'done' ? shown.stdout : null;
}
