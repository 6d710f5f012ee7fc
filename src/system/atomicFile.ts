import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Replaces a file whole or not at all: written beside, synced, renamed. Follows a symbolic link to what it names, and
 * keeps the mode and owner of a file that was there unless told a mode. Rejects as `node:fs` does. `beside` names the
 * file written first: whoever holds a lock can name it, and so clear away what a kill in the middle left.
 */
export async function writeFileAtomically(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number; readonly beside?: string } = {},
): Promise<void> {
  const target = await linkTarget(resolve(path));
  const before = await stat(target).catch(() => undefined);
  // renaming over a device or a pipe would replace it by a file
  if (before && !before.isFile()) throw new Error(`${target} is not a regular file`);
  const mode = options.mode ?? (before && before.mode & 0o7777);
  const beside = join(dirname(target), options.beside ?? `.${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  if (options.beside) await rm(beside, { force: true });
  try {
    await using file = await open(beside, 'wx', mode ?? 0o666);
    await file.writeFile(data);
    if (before) await keepOwner(file, before);
    // after the owner: changing that clears the setuid bits; and the umask was taken from the mode above
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncDirectory(dirname(target));
}

/** As far as the links go; the last name need not exist. */
async function linkTarget(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < 40; links++) {
    const entry = await lstat(target).catch(() => undefined);
    if (!entry?.isSymbolicLink()) return target;
    // `..` in a link counts from where its folder really is
    target = resolve(await realpath(dirname(target)), await readlink(target));
  }
  throw new Error(`${path} is a symbolic link that leads in a circle`);
}

async function keepOwner(file: FileHandle, before: { readonly uid: number; readonly gid: number }): Promise<void> {
  const { uid, gid } = await file.stat();
  // only root may give a file away; for everybody else the new file is simply theirs
  if (uid !== before.uid || gid !== before.gid) await file.chown(before.uid, before.gid).catch(() => {});
}

/** Makes the rename itself durable, where the system lets a directory be synced. */
async function syncDirectory(path: string): Promise<void> {
  try {
    await using directory = await open(path, 'r');
    await directory.sync();
  } catch {
    // not every file system can; the file itself is synced
  }
}
