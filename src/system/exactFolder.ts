import { constants, existsSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';

/**
 * Uses a folder by its handle, so that its path cannot lead elsewhere: rejects when the folder is reached by a symbolic
 * link, even one created meanwhile. Without `/proc`, the path is checked once more instead.
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
