import { constants, lstatSync } from 'node:fs';
import {
  chmod,
  copyFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { Git } from '../../git/git.ts';
import type { Check } from '../checks/types.ts';
import { listFiles } from './freeze.ts';
import type { Frozen } from './frozen.ts';
import { withScripts } from './packageScripts.ts';

/** A copy of a project in which the frozen scripts are in place. The agent's own files stay as they are. */
export interface ScratchTree extends AsyncDisposable {
  readonly path: string;
  /** The check as it runs there. */
  place(check: Check): Check;
}

const MOST_FILES = 200_000;

/**
 * Copies what git tracks or would add; what it ignores (dependencies, caches) is linked, because it is large and not the
 * agent's work. Rejects when the files cannot be listed or copied.
 */
export async function openScratch(git: Git, frozen: Frozen, parent: string): Promise<ScratchTree> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const root = await mkdtemp(path.join(parent, 'stop-'));
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  try {
    await copyProject(git, frozen.topLevel, root);
    for (const { path: file, mode, content } of frozen.files) {
      const target = await realPlace(root, path.relative(frozen.topLevel, file));
      await writeFile(target, Buffer.from(content, 'base64'));
      await chmod(target, mode);
    }
    for (const [file, scripts] of Map.groupBy(frozen.packageScripts, (one) => one.file)) {
      const target = await realPlace(root, path.relative(frozen.topLevel, file));
      await writeFile(target, withScripts(await readFile(file, 'utf8').catch(() => '{}'), scripts));
    }
  } catch (error) {
    await remove();
    throw error;
  }
  const moved = (text: string) =>
    text === frozen.topLevel ? root : text.replaceAll(`${frozen.topLevel}${path.sep}`, `${root}${path.sep}`);
  return {
    path: root,
    place: (check) => ({
      ...check,
      file: moved(check.file),
      args: check.args.map(moved),
      cwd: path.join(root, path.relative(frozen.topLevel, check.cwd)),
    }),
    [Symbol.asyncDispose]: remove,
  };
}

/** The place of a file in the copy, in real folders: the agent may have put a link where a folder was. */
async function realPlace(root: string, inside: string): Promise<string> {
  const names = inside.split(path.sep);
  let at = root;
  for (const name of names.slice(0, -1)) {
    at = path.join(at, name);
    const entry = await lstat(at).catch(() => undefined);
    if (entry && !entry.isDirectory()) await rm(at);
    if (!entry?.isDirectory()) await mkdir(at);
  }
  const target = path.join(at, names.at(-1) ?? '');
  await rm(target, { recursive: true, force: true });
  return target;
}

async function copyProject(git: Git, topLevel: string, root: string): Promise<void> {
  const gitDir = await git.run({ folder: topLevel, args: ['rev-parse', '--absolute-git-dir'] });
  if (gitDir.type === 'failed') {
    await cp(topLevel, root, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
    return;
  }
  const tracked = await listFiles(git, topLevel, ['--cached', '--others', '--exclude-standard']);
  const ignored = await listFiles(git, topLevel, ['--others', '--ignored', '--exclude-standard', '--directory']);
  if (tracked.length + ignored.length > MOST_FILES) throw new Error(`it has more than ${MOST_FILES} files`);
  for (const name of new Set(tracked)) await copyEntry(path.join(topLevel, name), path.join(root, name));
  for (const name of ignored) await linkEntry(path.join(topLevel, name), path.join(root, name));
  await writeFile(path.join(root, '.git'), `gitdir: ${gitDir.stdout.trim()}\n`);
}

/** Deleted files are not copied; a repository inside is linked. */
async function copyEntry(from: string, to: string): Promise<void> {
  const entry = lstatSync(from, { throwIfNoEntry: false });
  if (entry === undefined) return;
  await mkdir(path.dirname(to), { recursive: true });
  if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE);
  else if (entry.isDirectory()) await linkEntry(from, to);
}

async function linkEntry(from: string, to: string): Promise<void> {
  const target = to.replace(/\/$/, '');
  await mkdir(path.dirname(target), { recursive: true });
  await symlink(from.replace(/\/$/, ''), target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
