import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Git } from '../../git/git.ts';
import { attempt } from '../../system/attempt.ts';
import { listFiles } from '../frozen/freeze.ts';

/**
 * A digest of the change times (`ctime`) of all files and folders in a project, which no program can set: a file that was
 * changed and put back, or created and removed, leaves another mark. Without what git ignores, which builds rewrite.
 */
export async function treeMark(git: Git, folder: string, leaveOut: string): Promise<string> {
  const found = await git.run({ folder, args: ['rev-parse', '--show-toplevel'] });
  const root = found.type === 'failed' ? folder : found.stdout.trimEnd();
  const skipped = new Set([leaveOut, ...(await ignoredIn(git, root))]);
  const hash = createHash('sha256');
  const folders = [root];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    hash.update(`${next}\0${stampOf(next)}\0`);
    for (const entry of entriesOf(next)) {
      const file = path.join(next, entry.name);
      if (entry.name === '.git' || skipped.has(file)) continue;
      if (entry.isDirectory()) folders.push(file);
      else hash.update(`${file}\0${stampOf(file)}\0`);
    }
  }
  return hash.digest('hex');
}

/** Nothing outside a repository, where all files count. */
async function ignoredIn(git: Git, root: string): Promise<readonly string[]> {
  const args = ['--others', '--ignored', '--exclude-standard', '--directory'];
  const names = await listFiles(git, root, args).catch(() => []);
  return names.map((name) => path.join(root, name.replace(/\/$/, '')));
}

const entriesOf = (folder: string) =>
  attempt(() => readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1)), []);

function stampOf(file: string): string {
  const entry = attempt(() => lstatSync(file, { bigint: true, throwIfNoEntry: false }), undefined);
  return entry === undefined ? 'gone' : `${entry.ino} ${entry.ctimeNs}`;
}
