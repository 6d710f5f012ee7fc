import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { attempt } from './attempt.ts';
import { UserError } from './userError.ts';

/** The folder of this process, by its real path. One that was removed is a sentence: `process.cwd` fails there. */
export function currentFolder(): string {
  const folder = attempt(() => realpathSync(process.cwd()), null);
  if (folder === null) throw new UserError('The current folder no longer exists; change to one that does.');
  return folder;
}

/** For hooks, which have to answer wherever they are: if it was removed, the place where it was, which may exist again. */
export function folderOrItsPlace(env: Readonly<Record<string, string | undefined>>): string {
  const place = env.PWD !== undefined && isAbsolute(env.PWD) ? env.PWD : '/';
  return attempt(() => process.cwd(), place);
}
