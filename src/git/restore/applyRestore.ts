import { chmod, link, lstat, mkdir, readdir, rename, rmdir, unlink, writeFile as writeText } from 'node:fs/promises';
import { join } from 'node:path';
import { readTextFile } from '../../system/readTextFile.ts';
import { absolutePath, foldersAbove, pathBytes, quotePath, shownPath } from '../quotedPath.ts';
import type { RestoreStep } from './decideRestore.ts';
import { type Disk, markOf } from './diskFacts.ts';

export interface ApplyRequest {
  readonly topLevel: string;
  readonly steps: readonly RestoreStep[];
  /** Empty folders to create, as git quotes paths. */
  readonly emptyFolders: readonly string[];
  /** `new/` holds the files to write, `old/` receives those replaced. On the same file system as the files. */
  readonly staging: string;
  /** The permissions of a restored file; undefined: those of any new file. */
  readonly permissions: (step: RestoreStep, present: number | undefined) => number | undefined;
  /** As read before the present state was recorded. */
  readonly disk: Disk;
  /** When aborted, what was done is undone. */
  readonly signal?: AbortSignal | undefined;
}

export type Applied =
  | { readonly type: 'applied' }
  /** Failed, and everything is as before. */
  | { readonly type: 'takenBack'; readonly reason: string }
  /** Part of it is done and could not be undone. */
  | { readonly type: 'half'; readonly reason: string };

type TakeBack = () => Promise<void>;

/** A file that was moved away, with its mark from before: a program that still has it open may write to it. */
interface Backup {
  readonly path: string;
  readonly file: string;
  readonly mark: string;
}

interface Done {
  readonly log: TakeBack[];
  readonly backups: Backup[];
}

/**
 * Moves staged files into place, all or none: each move is one rename, and when one fails the earlier ones are undone.
 *
 * Other programs may write meanwhile. So a file is first moved away and then compared with what was recorded; a new file
 * never replaces one that has appeared; and undoing never replaces a later edit.
 */
export async function applyRestore(request: ApplyRequest): Promise<Applied> {
  const done: Done = { log: [], backups: [] };
  const { log } = done;
  const refuseAborted = () => {
    if (request.signal?.aborted) throw new Error('it was interrupted');
  };
  try {
    await mkdir(join(request.staging, 'old'));
    const removals = request.steps.filter(({ kept }) => kept === undefined);
    const writes = request.steps.filter(({ kept }) => kept !== undefined);
    await writeText(join(request.staging, REPLACED), writes.map(({ path }) => path).join('\n'));
    for (const [index, step] of removals.entries()) {
      refuseAborted();
      await removeFile(request, { step, old: `r${index}`, done });
    }
    for (const { path } of removals) await removeEmptied(request.topLevel, path, log);
    for (const [index, step] of writes.entries()) {
      refuseAborted();
      await writeFile(request, { step, old: `w${index}`, done });
    }
    for (const path of request.emptyFolders) await makeEmpty(request.topLevel, path, log);
    for (const backup of done.backups) await refuseEdited(backup);
    return { type: 'applied' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const failure = await takeBack(log);
    return failure === undefined ? { type: 'takenBack', reason } : { type: 'half', reason: `${reason}; ${failure}` };
  }
}

/** Lists the replaced paths in the order of their backups `w0`, `w1` … */
const REPLACED = 'replaced';

const LONGEST_LIST = 256 * 1024 * 1024;

/** After a restore was killed between moving a file away and placing the new one: puts the old one back. */
export async function putBackMissing(topLevel: string, staging: string): Promise<void> {
  const read = await readTextFile(join(staging, REPLACED), LONGEST_LIST);
  const text = read.type === 'read' ? read.text : '';
  for (const [index, path] of text.split('\n').entries()) {
    const backup = join(staging, 'old', `w${index}`);
    if (path === '' || (await lstat(backup).catch(() => undefined)) === undefined) continue;
    await place(backup, absolutePath(topLevel, path));
  }
}

async function takeBack(log: readonly TakeBack[]): Promise<string | undefined> {
  let failure: string | undefined;
  for (const undo of log.toReversed()) {
    await undo().catch((error: Error) => {
      failure ??= error.message;
    });
  }
  return failure;
}

interface Moving {
  readonly step: RestoreStep;
  readonly old: string;
  readonly done: Done;
}

async function removeFile({ topLevel, staging, disk }: ApplyRequest, { step, old, done }: Moving): Promise<void> {
  const target = absolutePath(topLevel, step.path);
  const entry = await present(target, step.path, disk);
  if (entry === undefined) return;
  await moveAway(target, { path: step.path, file: join(staging, 'old', old), mark: markOf(entry) }, done);
}

/** Moves away whatever is there; rejects when that is not what was recorded, and undoing puts it back. */
async function moveAway(target: Buffer, backup: Backup, { log, backups }: Done): Promise<void> {
  await rename(target, backup.file);
  log.push(() => putBack(backup, target));
  await refuseEdited(backup);
  backups.push(backup);
}

async function refuseEdited({ path, file, mark }: Backup): Promise<void> {
  const entry = await lstat(file, { bigint: true });
  if (markOf(entry) !== mark) throw new Error(changedMeanwhile(path));
}

const changedMeanwhile = (path: string) => `${shownPath(path)} changed while the restore was running`;

/** Never over a file that another program put there. */
async function putBack({ path, file }: Backup, target: Buffer): Promise<void> {
  if (await place(file, target)) return;
  throw new Error(`${changedMeanwhile(path)} and stays as it is now`);
}

/** False when the target exists. On a file system without hard links, it is checked before the rename. */
async function place(source: string | Buffer, target: Buffer): Promise<boolean> {
  try {
    await link(source, target);
    await unlink(source);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    if (await lstat(target).catch(() => undefined)) return false;
    await rename(source, target);
    return true;
  }
}

/** Removes a file that we placed, unless it was written to since. */
async function removeOwn(target: Buffer, { path, mark }: Pick<Backup, 'path' | 'mark'>, aside: string): Promise<void> {
  const entry = await lstat(target, { bigint: true }).catch(() => undefined);
  if (entry === undefined) return;
  if (markOf(entry) !== mark) throw new Error(`${changedMeanwhile(path)} and stays as it is now`);
  await rename(target, aside);
}

async function writeFile(request: ApplyRequest, { step, old, done }: Moving): Promise<void> {
  const { topLevel, staging, disk } = request;
  const { log } = done;
  const target = absolutePath(topLevel, step.path);
  const source = Buffer.concat([Buffer.from(`${join(staging, 'new')}/`), pathBytes(step.path)]);
  await makeFolders(topLevel, pathBytes(step.path), log);
  const entry = await present(target, step.path, disk);
  if (step.kept?.mode !== '120000') {
    const mode = request.permissions(step, entry?.isFile() ? Number(entry.mode) & 0o777 : undefined);
    if (mode !== undefined) await chmod(source, mode);
  }
  if (entry?.isDirectory()) await removeFolder(target, log);
  else if (entry) {
    await moveAway(target, { path: step.path, file: join(staging, 'old', old), mark: markOf(entry) }, done);
  }
  const own = { path: step.path, mark: markOf(await lstat(source, { bigint: true })) };
  if (!(await place(source, target))) throw new Error(changedMeanwhile(step.path));
  log.push(() => removeOwn(target, own, join(staging, 'old', `${old}.taken`)));
}

/** The present entry; rejects when it is not what was recorded. */
async function present(target: Buffer, path: string, disk: Disk) {
  const entry = await lstat(target, { bigint: true }).catch(() => undefined);
  const mark = entry === undefined || entry.isDirectory() ? '' : markOf(entry);
  if (mark !== disk.mark(path)) throw new Error(changedMeanwhile(path));
  return entry;
}

/** A failure is ignored: another entry may have the name by now. */
const makeEmpty = (topLevel: string, path: string, log: TakeBack[]) =>
  makeFolders(topLevel, Buffer.concat([pathBytes(path), Buffer.from('/')]), log).catch(() => {});

/** The folders above a path. */
async function makeFolders(topLevel: string, bytes: Buffer, log: TakeBack[]): Promise<void> {
  for (const above of foldersAbove(bytes)) {
    const folder = absolutePath(topLevel, quotePath(above));
    const entry = await lstat(folder).catch(() => undefined);
    if (entry?.isDirectory()) continue;
    await mkdir(folder);
    log.push(() => rmdir(folder));
  }
}

/** As git does: a folder whose last file was removed goes as well. */
async function removeEmptied(topLevel: string, path: string, log: TakeBack[]): Promise<void> {
  const bytes = pathBytes(path);
  for (let at = bytes.lastIndexOf('/'); at > 0; at = bytes.lastIndexOf('/', at - 1)) {
    const folder = absolutePath(topLevel, quotePath(bytes.subarray(0, at)));
    const entries = await readdir(folder).catch(() => undefined);
    if (entries === undefined) continue;
    if (entries.length > 0) return;
    await removeFolder(folder, log);
  }
}

/** Removes a folder without files; rejects for any other. */
async function removeFolder(folder: Buffer, log: TakeBack[]): Promise<void> {
  const { mode } = await lstat(folder);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (!entry.isDirectory()) throw new Error(`${folder.toString('utf8')} is not empty`);
    await removeFolder(Buffer.concat([folder, Buffer.from('/'), entry.name]), log);
  }
  await rmdir(folder);
  log.push(() => mkdir(folder, { mode: mode & 0o7777 }).then(() => undefined));
}
