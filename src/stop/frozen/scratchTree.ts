import { constants, lstatSync } from 'node:fs';
import * as files from 'node:fs/promises';
import path from 'node:path';
import { type Git, outputOf } from '../../git/git.ts';
import { isAlive } from '../../system/processLife.ts';
import { realPath } from '../../system/realPath.ts';
import { listFiles } from './freeze.ts';
import type { Frozen } from './frozen.ts';
import { type FrozenPlace, frozenPlace } from './frozenFiles.ts';
import { linkEntry } from './linkEntry.ts';

/** A copy of a project in which the frozen scripts are in place. The agent's own files stay as they are. */
export type ScratchTree = FrozenPlace & AsyncDisposable;

const MOST_FILES = 200_000;

/**
 * Copies what git tracks or would add; of what it ignores (dependencies, caches) the entries are linked, because it is large
 * and not the agent's work. Rejects when the files cannot be listed or copied.
 */
export async function openScratch(git: Git, frozen: Frozen, stopgateHome: string): Promise<ScratchTree> {
  const parent = path.join(stopgateHome, 'gates', 'scratch');
  await files.mkdir(parent, { recursive: true, mode: 0o700 });
  await removeStranded(parent);
  const root = await files.mkdtemp(path.join(parent, `stop-${process.pid}-`));
  const remove = () => files.rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    await copyProject(git, frozen.topLevel, { root, leaveOut: realPath(stopgateHome) });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...frozenPlace(frozen, root, (file) => file),
    [Symbol.asyncDispose]: remove,
  };
}

interface CopyPlace {
  readonly root: string;
  /** Not copied into itself. */
  readonly leaveOut: string;
}

async function copyProject(git: Git, topLevel: string, { root, leaveOut }: CopyPlace): Promise<void> {
  const found = await git.run({ folder: topLevel, args: ['rev-parse', '--absolute-git-dir', '--git-common-dir'] });
  if (found.type === 'failed') {
    // pipes and sockets cannot be copied, and no check could read them
    const filter = (from: string) => from !== leaveOut && isFileOrFolder(from);
    await files.cp(topLevel, root, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter,
    });
    return;
  }
  const tracked = await listFiles(git, topLevel, ['--cached', '--others', '--exclude-standard']);
  const ignored = await listFiles(git, topLevel, ['--others', '--ignored', '--exclude-standard', '--directory']);
  if (tracked.length + ignored.length > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
  for (const name of new Set(tracked)) await copyEntry(path.join(topLevel, name), path.join(root, name), topLevel);
  for (const name of ignored) await linkEntry(path.join(topLevel, name), path.join(root, name));
  const [gitDir = '', common = ''] = found.stdout.trimEnd().split('\n');
  await copyRepository(git, { gitDir, common: path.resolve(topLevel, common) }, path.join(root, '.git'));
}

/** A repository of its own over the same objects: git in the copy must not change the agent's index, refs or worktree. */
async function copyRepository(
  git: Git,
  { gitDir, common }: { readonly gitDir: string; readonly common: string },
  target: string,
): Promise<void> {
  await files.mkdir(path.join(target, 'objects', 'info'), { recursive: true });
  await files.writeFile(path.join(target, 'objects', 'info', 'alternates'), `${path.join(common, 'objects')}\n`);
  const copy = (from: string, name: string) =>
    files.cp(path.join(from, name), path.join(target, name), { recursive: true }).catch(() => {});
  for (const name of ['HEAD', 'index', 'MERGE_HEAD']) await copy(gitDir, name);
  for (const name of ['config', 'packed-refs', 'refs', 'reftable', 'info', 'shallow']) await copy(common, name);
  const file = path.join(target, 'config');
  await git.run({ folder: target, args: ['config', '--file', file, '--unset-all', 'core.worktree'], okCodes: [5] });
  await outputOf(git, { folder: path.dirname(target), args: ['rev-parse', '--git-dir'] });
}

function isFileOrFolder(from: string): boolean {
  const entry = lstatSync(from, { throwIfNoEntry: false });
  return entry === undefined || entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
}

/** Deleted files are not copied; a repository inside is linked, and a relative link that leads outside made absolute. */
async function copyEntry(from: string, to: string, topLevel: string): Promise<void> {
  const entry = lstatSync(from, { throwIfNoEntry: false });
  if (entry === undefined) return;
  await files.mkdir(path.dirname(to), { recursive: true });
  if (entry.isSymbolicLink()) await copyLink(from, to, topLevel);
  else if (entry.isFile()) await files.copyFile(from, to, constants.COPYFILE_FICLONE);
  else if (entry.isDirectory()) await linkEntry(from, to);
}

async function copyLink(from: string, to: string, topLevel: string): Promise<void> {
  const target = await files.readlink(from);
  const leadsTo = path.relative(topLevel, path.resolve(path.dirname(from), target));
  await files.symlink(leadsTo.startsWith('..') ? path.resolve(path.dirname(from), target) : target, to);
}

/** Copies that a killed process left. */
async function removeStranded(parent: string): Promise<void> {
  for (const name of await files.readdir(parent)) {
    const pid = Number(/^stop-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || !isAlive(pid))
      await files.rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
