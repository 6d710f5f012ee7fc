import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../system/processLife.ts';
import { readTextFile } from '../system/readTextFile.ts';
import { failureOf, type Git, outputOf } from './git.ts';
import type { Settings } from './hardening.ts';
import { oneLine } from './workTree.ts';

/** The files of one commit in a folder of their own, as a worktree without a branch. Removed when it is disposed of. */
export interface CleanCheckout extends AsyncDisposable {
  readonly type: 'checkout';
  readonly path: string;
  readonly commit: string;
  /** Git's name of its files. */
  readonly tree: string;
}

export interface CheckoutRequest {
  /** Any folder of the repository. */
  readonly folder: string;
  readonly commit: string;
  /** Where checkouts go; those that a killed process left there are removed. */
  readonly parent: string;
}

/** Hooks and, where the folder is not trusted, filters of the repository do not run. Submodules are left empty. */
export async function cleanCheckout(
  git: Git,
  { folder, commit, parent }: CheckoutRequest,
): Promise<CleanCheckout | { readonly type: 'failed'; readonly reason: string }> {
  const made: { path?: string } = {};
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
    const converted = await whyConverted(git, folder);
    if (converted !== null) return { type: 'failed', reason: converted };
    await removeStranded(git, parent);
    made.path = await mkdtemp(join(parent, `checkout-${process.pid}-`));
    const path = join(made.path, 'files');
    const args = ['worktree', 'add', '--quiet', '--detach', '--', path, commit];
    // a partial clone has to fetch what it checks out
    await outputOf(git, { folder, args, mayFetch: true, timeoutMs: LONGEST_MS, settings: AS_COMMITTED });
    const tree = await outputOf(git, { folder: path, args: ['rev-parse', 'HEAD^{tree}'] });
    const home = made.path;
    return { type: 'checkout', path, commit, tree, [Symbol.asyncDispose]: () => removeCheckout(git, home) };
  } catch (error) {
    if (made.path !== undefined) await removeCheckout(git, made.path);
    return failureOf(error);
  }
}

/** The repository's own configuration, which an agent can write, must not leave out a file that would fail a check. */
export const ALL_FILES: Settings = { 'core.sparseCheckout': 'false' };

/** Nor change one. */
const AS_COMMITTED: Settings = { ...ALL_FILES, 'core.autocrlf': 'false', 'core.eol': 'lf', 'core.symlinks': 'true' };

const MOST_BYTES = 1_000_000;
const CONVERSIONS = /(?:^|\s)[-!]?(?:text|crlf|eol|ident|working-tree-encoding)(?:\s|=|$)|^\[attr\]/m;

/** Attributes in the git folder are in no commit, an agent can write them, and git has no way to leave them out. */
async function whyConverted(git: Git, folder: string): Promise<string | null> {
  const file = await oneLine(git, folder, ['rev-parse', '--path-format=absolute', '--git-path', 'info/attributes']);
  const read = file === undefined ? null : await readTextFile(file, MOST_BYTES);
  if (read === null || read.type === 'missing') return null;
  if (read.type === 'read' && !read.cut && !CONVERSIONS.test(read.text.replaceAll(/^\s*#.*$/gm, ''))) return null;
  return `${file} changes the content of files at a checkout; move its lines into .gitattributes, or remove it.`;
}

/** A large repository on a slow disk. */
const LONGEST_MS = 10 * 60_000;

/** Also its entry in the repository, which would otherwise stay until someone prunes. */
async function removeCheckout(git: Git, home: string): Promise<void> {
  const path = join(home, 'files');
  const common = await oneLine(git, path, ['rev-parse', '--path-format=absolute', '--git-common-dir']).catch(
    () => undefined,
  );
  if (common !== undefined) {
    await git.run({ folder: common, args: ['--git-dir', common, 'worktree', 'remove', '--force', '--', path] });
  }
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
}

async function removeStranded(git: Git, parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(/^checkout-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(pid) && !isAlive(pid)) await removeCheckout(git, join(parent, name));
  }
}
