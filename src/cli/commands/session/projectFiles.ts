import { openGit, readLines } from '../../../git/git.ts';
import { shownPath } from '../../../git/quotedPath.ts';
import type { World } from '../../../system/world.ts';

const LIST = ['ls-files', '--cached', '--others', '--exclude-standard'];

/** Files of the project that completion offers; none outside a repository. */
export const listFiles = ({ processes, env, cwd: folder }: World): Promise<readonly string[]> =>
  readLines(openGit({ processes, env }), { folder, args: LIST }, shownPath).catch(() => []);
