import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, mkdir, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Replaces a file whole or not at all: writes a temporary file, syncs it, renames it. Follows a symbolic link, and keeps
 * the owner and (by default) the mode of an existing file. Rejects as `node:fs` does. `beside` names the temporary file,
 * so that a caller with a lock can remove what a killed process left.
 */
export async function writeFileAtomically(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number; readonly beside?: string } = {},
): Promise<void> {
  const target = await linkTarget(resolve(path));
  const before = await stat(target).catch(() => undefined);
  // a rename would replace a device or a pipe by a file
  if (before && !before.isFile()) throw new Error(`${target} is not a regular file`);
  const mode = options.mode ?? (before && before.mode & 0o7777);
  const beside = join(dirname(target), options.beside ?? `.${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  if (options.beside) await rm(beside, { force: true });
  try {
    await using file = await open(beside, 'wx', mode ?? 0o666);
    await file.writeFile(data);
    if (before) await keepOwner(file, before);
    // after the owner, whose change clears the setuid bits; `open` applied the umask
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/** For this user alone; creates its folder. */
export async function writePrivateFile(path: string, data: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomically(path, data, { mode: 0o600 });
}

/** The end of a chain of links; it need not exist. */
async function linkTarget(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < 40; links++) {
    const entry = await lstat(target).catch(() => undefined);
    if (!entry?.isSymbolicLink()) return target;
    // `..` in a link is relative to its real folder
    target = resolve(await realpath(dirname(target)), await readlink(target));
  }
  throw new Error(`${path} is a symbolic link that leads in a circle`);
}

async function keepOwner(file: FileHandle, before: { readonly uid: number; readonly gid: number }): Promise<void> {
  const { uid, gid } = await file.stat();
  // only root may do this; for other users the new file is theirs
  if (uid !== before.uid || gid !== before.gid) await file.chown(before.uid, before.gid).catch(() => {});
}

/** Makes a rename or a new name durable. */
export async function syncFolder(path: string): Promise<void> {
  try {
    await using directory = await open(path, 'r');
    await directory.sync();
  } catch {
    // not every file system can do this; the file itself is synced
  }
}
