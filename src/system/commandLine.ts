import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ownProgram } from './ownPath.ts';

/** The words a process was started with; null when it is gone or belongs to another user. */
export function commandLineOf(pid: number): readonly string[] | null {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return fromPs(pid);
  }
}

/** Where there is no `/proc`. Quotes are lost: a word with blanks comes as several. */
function fromPs(pid: number): readonly string[] | null {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const line = execFileSync(
      ownProgram('ps', process.env.PATH, process.cwd()),
      ['-ww', '-o', 'args=', '-p', `${pid}`],
      {
        encoding: 'utf8',
        stdio,
        env: { PATH: process.env.PATH },
        timeout: 5_000,
      },
    );
    return line.trim().split(/\s+/);
  } catch {
    return null;
  }
}
