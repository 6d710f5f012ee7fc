import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git.ts';
import type { WorkTree } from '../workTree.ts';
import type { RestoreStep } from './decideRestore.ts';

const NAME = 'stopgate-restore';

/** Where files wait before they are moved into place: on their own file system, out of git's sight. */
export async function stagingFolder({ gitDir, topLevel }: WorkTree): Promise<string> {
  const [inGit, ofFiles] = await Promise.all([stat(gitDir), stat(topLevel)]);
  return inGit.dev === ofFiles.dev ? join(gitDir, NAME) : join(topLevel, `.${NAME}`);
}

export interface Staging {
  readonly workTree: WorkTree;
  readonly folder: string;
  readonly indexFile: string | undefined;
  readonly steps: readonly RestoreStep[];
  /** For the reader of what a killed restore leaves behind. */
  readonly note: string;
}

/** Writes every file of the steps as git would check it out; nothing of the worktree is touched. Rejects as `node:fs` does. */
export async function stageKept(
  git: Git,
  { workTree, folder, indexFile, steps, note }: Staging,
): Promise<string | undefined> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'new'), { recursive: true });
  await writeFile(join(folder, 'note'), note);
  const paths = steps.filter(({ kept }) => kept !== undefined).map(({ path }) => path);
  if (paths.length === 0) return undefined;
  const end = await git.run({
    folder: workTree.topLevel,
    args: ['checkout-index', '--force', `--prefix=${join(folder, 'new')}/`, '--stdin'],
    indexFile,
    input: `${paths.join('\n')}\n`,
  });
  return end.type === 'failed' ? end.reason : undefined;
}
