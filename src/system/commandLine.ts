import { execFileSync } from 'node:child_process';
import { folderOrItsPlace } from './currentFolder.ts';
import { ownProgram } from './ownPath.ts';
import { readProc } from './procfs.ts';

/** The words a process was started with; null when it is gone or belongs to another user. */
export function commandLineOf(pid: number): readonly string[] | null {
  return readProc(pid, 'cmdline')?.split('\0').slice(0, -1) ?? fromPs(pid);
}

/** Without `/proc`. Quotes are lost: a word with blanks becomes several. */
function fromPs(pid: number): readonly string[] | null {
  try {
    const { PATH } = process.env;
    const line = execFileSync(
      ownProgram('ps', PATH, folderOrItsPlace(process.env)),
      ['-ww', '-o', 'args=', '-p', `${pid}`],
      {
        ...{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { PATH }, timeout: 5_000 },
      },
    );
    return line.trim().split(/\s+/);
  } catch {
    return null;
  }
}
