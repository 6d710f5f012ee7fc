import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import picomatch from 'picomatch';
import { failureOf, type Git } from '../../git/git.ts';
import { pathBytes, shownPath } from '../../git/quotedPath.ts';
import { diffTrees, type TreeEntry } from '../../git/treeDiff.ts';
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

/** The protected files when a session began. Those that were as in HEAD are in the repository. */
export interface ProtectedStart {
  readonly head: string | null;
  /** Those that differed from HEAD: path, state, and the content in Base64 where it is small. */
  readonly differing: readonly (readonly [path: string, state: string, content: string | null])[];
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

export function protectedStart(protect: readonly string[], folder: string, tree: TreeState): ProtectedStart {
  const isProtected = matcher(protect, folder, tree.topLevel);
  const differing = [...tree.differing]
    .filter(([quoted]) => isProtected(quoted))
    .map(([quoted, state], at) => [quoted, state, at < MOST_COPIES ? copyOf(quoted, tree.topLevel) : null] as const);
  return { head: tree.head, differing };
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
  const isProtected = matcher(protect, folder, tree.topLevel);
  const moved = await between(git, tree.topLevel, start.head, tree.head);
  if (typeof moved === 'string') return moved;
  const before = new Map(start.differing.map(([quoted, state]) => [quoted, state]));
  const candidates = new Set([...before.keys(), ...tree.differing.keys(), ...moved.keys()].filter(isProtected));
  /** Of a file that no commit changed: a new file differs from HEAD, too. */
  const startState = async (quoted: string) =>
    (await inCommit(git, tree.topLevel, start.head, pathBytes(quoted).toString('utf8'))) === null
      ? undefined
      : AS_IN_HEAD;
  const found: ProtectedChange[] = [];
  for (const quoted of candidates) {
    // a file that no commit changed is in both as in HEAD
    const inHead = moved.get(quoted);
    const was = before.get(quoted) ?? (inHead ? inHead.before : await startState(quoted));
    const is = tree.differing.get(quoted) ?? (inHead ? inHead.after : AS_IN_HEAD);
    if (was === is) continue;
    const how = GONE.has(is) ? 'deleted' : GONE.has(was) ? 'created' : 'edited';
    const path = shownPath(quoted);
    found.push({ path, how, diff: how === 'created' ? '' : await diffOf(quoted, start, { tree, git }) });
  }
  return found;
}

interface Moved {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What commits changed, as states. */
async function between(
  git: Git,
  topLevel: string,
  from: string | null,
  to: string | null,
): Promise<ReadonlyMap<string, Moved> | string> {
  if (from === to) return new Map();
  const text = (entry: TreeEntry | undefined) => entry && `${entry.mode} ${entry.object}`;
  try {
    const diff = await diffTrees(git, topLevel, [from ?? EMPTY_TREE, to ?? EMPTY_TREE]);
    return new Map([...diff].map(([at, { before, after }]) => [at, { before: text(before), after: text(after) }]));
  } catch (error) {
    return failureOf(error).reason;
  }
}

const AS_IN_HEAD = 'as in HEAD';
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

async function diffOf(
  quoted: string,
  start: ProtectedStart,
  { tree, git }: { readonly tree: TreeState; readonly git: Git },
): Promise<string> {
  const kept = start.differing.find(([at]) => at === quoted)?.[2];
  const name = pathBytes(quoted).toString('utf8');
  const before = kept === undefined ? await inCommit(git, tree.topLevel, start.head, name) : kept && decoded(kept);
  const now = readByteFileSync(path.join(tree.topLevel, name), LARGEST_COPY);
  if (before === null) return '';
  const after = now.type === 'read' ? now.bytes.toString('utf8') : '';
  return createTwoFilesPatch(`start/${shownPath(quoted)}`, shownPath(quoted), before, after, '', '', { context: 2 });
}

const decoded = (content: string) => Buffer.from(content, 'base64').toString('utf8');

async function inCommit(git: Git, folder: string, head: string | null, name: string): Promise<string | null> {
  if (head === null) return null;
  const shown = await git.run({ folder, args: ['cat-file', 'blob', `${head}:${name}`] });
  return shown.type === 'done' ? shown.stdout : null;
}
