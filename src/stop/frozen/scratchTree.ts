import { constants, lstatSync, statSync } from 'node:fs';
import * as files from 'node:fs/promises';
import path from 'node:path';
import { type Git, outputOf } from '../../git/git.ts';
import { changedScripts, withScripts } from '../../session/runFiles/packageScripts.ts';
import { isAlive } from '../../system/processLife.ts';
import type { Check } from '../checks/types.ts';
import { listFiles } from './freeze.ts';
import { type Frozen, realOf } from './frozen.ts';

/** A copy of a project in which the frozen scripts are in place. The agent's own files stay as they are. */
export interface ScratchTree extends AsyncDisposable {
  /** Puts the frozen scripts in place (again), and returns the check as it runs there. */
  place(check: Check): Promise<Check>;
  /** Whether the scripts are still as they were put: a check, or what it tests, may write to them. */
  isIntact(): boolean;
}

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
  let stamps: readonly string[] = [];
  try {
    await copyProject(git, frozen.topLevel, { root, leaveOut: realOf(stopgateHome) });
  } catch (error) {
    await remove();
    throw error;
  }
  const targets = frozen.files.map(({ path: file }) => path.join(root, insideOf(frozen, file)));
  return {
    place: async (check) => {
      await putFrozen(frozen, root);
      stamps = targets.map(stampOf);
      return placed(check, frozen, root);
    },
    isIntact: () => targets.every((target, at) => stampOf(target) === stamps[at]),
    [Symbol.asyncDispose]: remove,
  };
}

/** Without the change time: a check may make its own script executable. */
function stampOf(file: string): string {
  const entry = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  return entry === undefined ? 'gone' : `${entry.ino} ${entry.mtimeNs} ${entry.size}`;
}

/** From the root of the project. Throws for a path elsewhere: nothing outside the copy may be written. */
function insideOf({ topLevel }: Frozen, file: string): string {
  const inside = path.relative(topLevel, file);
  if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) {
    throw new Error(`${file} is outside ${topLevel}`);
  }
  return inside;
}

async function putFrozen(frozen: Frozen, root: string): Promise<void> {
  for (const { path: file, mode, content } of frozen.files) {
    const target = await realPlace(root, insideOf(frozen, file));
    await files.writeFile(target, Buffer.from(content, 'base64'));
    await files.chmod(target, mode);
  }
  for (const file of frozen.absent)
    await files.rm(path.join(root, insideOf(frozen, file)), { recursive: true, force: true });
  for (const [file, scripts] of Map.groupBy(frozen.packageScripts, (one) => one.file)) {
    if (changedScripts(file, scripts).length === 0) continue;
    const target = await realPlace(root, insideOf(frozen, file));
    await files.writeFile(target, withScripts(await files.readFile(file, 'utf8').catch(() => '{}'), scripts));
  }
}

function placed(check: Check, frozen: Frozen, root: string): Check {
  const folder = path.dirname(frozen.file);
  const real = realOf(folder);
  const moved = (text: string) =>
    movedPath(movedPath(text, frozen.topLevel, root), folder, path.join(root, path.relative(frozen.topLevel, real)));
  const inside = path.relative(frozen.topLevel, realOf(check.cwd));
  return {
    ...check,
    folder: path.join(root, path.relative(frozen.topLevel, real)),
    file: moved(check.file),
    args: check.args.map(moved),
    // a folder elsewhere is the same for the copy
    cwd: inside.startsWith('..') ? check.cwd : path.join(root, inside),
  };
}

/** Whole paths only: `/p` in `/q/p/x` and in `/pq` is another folder. */
function movedPath(text: string, from: string, to: string): string {
  const pattern = new RegExp(`(?<![\\w.~/-])${from.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?=$|[^\\w.-])`, 'g');
  return text.replaceAll(pattern, () => to);
}

/** The place of a file in the copy, in real folders: a folder that is a link gets links to what is in it. */
async function realPlace(root: string, inside: string): Promise<string> {
  const names = inside.split(path.sep);
  let at = root;
  for (const name of names.slice(0, -1)) {
    at = path.join(at, name);
    const entry = await files.lstat(at).catch(() => undefined);
    if (entry?.isDirectory()) continue;
    const target = entry?.isSymbolicLink() ? path.resolve(path.dirname(at), await files.readlink(at)) : null;
    if (entry) await files.rm(at);
    await files.mkdir(at);
    if (target !== null) await linkChildren(target, at);
  }
  const target = path.join(at, names.at(-1) ?? '');
  await files.rm(target, { recursive: true, force: true });
  return target;
}

interface CopyPlace {
  readonly root: string;
  /** Not copied into itself. */
  readonly leaveOut: string;
}

async function copyProject(git: Git, topLevel: string, { root, leaveOut }: CopyPlace): Promise<void> {
  const found = await git.run({ folder: topLevel, args: ['rev-parse', '--absolute-git-dir', '--git-common-dir'] });
  if (found.type === 'failed') {
    const filter = (from: string) => from !== leaveOut;
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

/** A folder becomes a real one whose entries are links: what empties it in the copy removes links. */
async function linkEntry(from: string, to: string): Promise<void> {
  const [source, target] = [from, to].map((one) => one.replace(/\/$/, '')) as [string, string];
  await files.mkdir(path.dirname(target), { recursive: true });
  if (!statSync(source, { throwIfNoEntry: false })?.isDirectory()) return link(source, target);
  await files.mkdir(target, { recursive: true });
  await linkChildren(source, target);
}

async function linkChildren(source: string, target: string): Promise<void> {
  for (const name of await files.readdir(source).catch(() => [])) {
    await link(path.join(source, name), path.join(target, name));
  }
}

async function link(source: string, target: string): Promise<void> {
  await files.symlink(source, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Copies that a killed process left. */
async function removeStranded(parent: string): Promise<void> {
  for (const name of await files.readdir(parent)) {
    const pid = Number(/^stop-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || !isAlive(pid))
      await files.rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
