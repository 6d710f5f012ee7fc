import { lstatSync } from 'node:fs';
import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import picomatch from 'picomatch';
import { committedFiles, type KnownCommit } from '../../git/committedFiles.ts';
import { failureOf, type Git } from '../../git/git.ts';
import { pathBytes, shownPath } from '../../git/quotedPath.ts';
import type { TreeDigest } from '../../git/treeStates.ts';
import { readByteFileSync } from '../../system/readTextFile.ts';

/** The files of a worktree: HEAD, and what differs from it, by git's quoted path. */
export interface TreeState extends KnownCommit {
  readonly differing: ReadonlyMap<string, string>;
  /** Those of them that HEAD does not have. */
  readonly untracked: ReadonlySet<string>;
}

/** A sentence where protected files cannot be compared. */
export function treeState(digest: TreeDigest): TreeState | string {
  if (digest.type === 'failed') return digest.reason;
  return digest.surroundings === '' ? `${digest.topLevel} is not in a git repository.` : digest;
}

/** The commit when a session began, and the protected files that differed from it: path, state, and content in Base64, if small. */
export interface ProtectedStart extends Omit<KnownCommit, 'topLevel'> {
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
const GONE: ReadonlySet<string> = new Set(['deleted', 'gone']);

/** Whether a path of the worktree is protected; the globs start at the folder of the configuration. */
function matcher(protect: readonly string[], folder: string, topLevel: string): (quoted: string) => boolean {
  const isMatch = picomatch([...protect], { dot: true });
  return (quoted) => isMatch(path.relative(folder, path.join(topLevel, pathBytes(quoted).toString('utf8'))));
}

export function protectedStart(protect: readonly string[], folder: string, tree: TreeState): ProtectedStart {
  const { topLevel, head, committed } = tree;
  const isProtected = matcher(protect, folder, topLevel);
  const differing = [...tree.differing].filter(([quoted]) => isProtected(quoted));
  const files = differing.map(
    ([quoted, state], index) => [quoted, state, index < MOST_COPIES ? copyOf(quoted, topLevel) : null] as const,
  );
  return { head, committed, files };
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
  const differed = new Map(start.files.map(([quoted, state]) => [quoted, state]));
  const differing = new Map([...tree.differing].filter(([quoted]) => isProtected(quoted)));
  // the usual case, in which no file has to be listed
  if (start.committed === tree.committed && areSame(differed, differing)) return [];
  try {
    const atStart = await committedFiles(git, { ...start, topLevel: tree.topLevel }, isProtected);
    const atEnd = start.committed === tree.committed ? atStart : await committedFiles(git, tree, isProtected);
    const before = present(atStart, differed);
    const now = present(atEnd, differing);
    const contents = new Map(start.files.map(([quoted, , content]) => [quoted, content]));
    const found: ProtectedChange[] = [];
    for (const [quoted, state] of before) {
      if (now.get(quoted) === state) continue;
      const how = now.has(quoted) ? 'edited' : 'deleted';
      const content = contents.get(quoted) ?? null;
      found.push({ path: shownPath(quoted), how, diff: await diffOf(quoted, { state, content }, { tree, git }) });
    }
    const created = [...now.keys()].filter((quoted) => !before.has(quoted));
    return [...found, ...created.map((quoted) => ({ path: shownPath(quoted), how: 'created' as const, diff: '' }))];
  } catch (error) {
    return failureOf(error).reason;
  }
}

type States = ReadonlyMap<string, string>;

const areSame = (one: States, other: States) =>
  one.size === other.size && [...one].every(([quoted, state]) => other.get(quoted) === state);

/** Each file as it is: as committed, unless it differs. */
const present = (committed: States, differing: States): States =>
  new Map([...committed, ...differing].filter(([quoted]) => !GONE.has(differing.get(quoted) ?? '')));

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
  // git's words for what a patch of the text does not show
  if (before === after)
    return `${shownPath(quoted)}: ${modesOf(state, path.join(tree.topLevel, pathBytes(quoted).toString('utf8')))}`;
  return createTwoFilesPatch(`start/${shownPath(quoted)}`, shownPath(quoted), before, after, '', '', { context: 2 });
}

function modesOf(state: string, file: string): string {
  const [, before = 'another'] = /^(?:as committed )?(\d{6})\b/.exec(state) ?? [];
  const now = lstatSync(file, { throwIfNoEntry: false });
  if (now === undefined) return `old mode ${before}`;
  const mode = now.isSymbolicLink() ? '120000' : (now.mode & 0o100) === 0 ? '100644' : '100755';
  return `old mode ${before}, new mode ${mode}`;
}

const decoded = (content: string) => Buffer.from(content, 'base64').toString('utf8');

async function blobOf(git: Git, folder: string, state: string): Promise<string | null> {
  const [, object = ''] = state.split(' ');
  const shown = await git.run({ folder, args: ['cat-file', 'blob', object] });
  return shown.type === 'done' ? shown.stdout : null;
}
