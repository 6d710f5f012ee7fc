import { constants, existsSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';

/**
 * Uses a folder by a name that cannot lead elsewhere any more: rejects when the folder is reached by a symbolic link, also
 * by one that took its place after it was looked at. Where the system has no names for opened folders (`/proc`), a last
 * look has to do.
 */
export async function withExactFolder<Result>(folder: string, use: (at: string) => Promise<Result>): Promise<Result> {
  await using opened = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' || error.code === 'ENOTDIR' ? new Error(leads(folder)) : error;
    },
  );
  const byHandle = `/proc/self/fd/${opened.fd}`;
  const at = existsSync(byHandle) ? byHandle : folder;
  if ((await realpath(at)) !== folder) throw new Error(leads(folder));
  return await use(at);
}

const leads = (folder: string) => `${folder} is a symbolic link that leads elsewhere`;
