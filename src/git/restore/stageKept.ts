import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from '../git.ts';
import { openRawGit } from '../rawGit.ts';
import type { WorkTree } from '../workTree.ts';
import type { RestoreStep } from './decideRestore.ts';

const NAME = 'stopgate-restore';

/** Holds files before they are moved into place: on the same file system, hidden from git. */
export async function stagingFolder({ gitDir, topLevel }: WorkTree): Promise<string> {
  const [inGit, ofFiles] = await Promise.all([stat(gitDir), stat(topLevel)]);
  return inGit.dev === ofFiles.dev ? join(gitDir, NAME) : join(topLevel, `.${NAME}`);
}

export interface Staging {
  readonly workTree: WorkTree;
  readonly folder: string;
  readonly indexFile: string | undefined;
  readonly steps: readonly RestoreStep[];
  /** Whether the objects are the bytes of the files; otherwise they are written as git checks them out. */
  readonly isRaw: boolean;
  /** For `cutShort`. */
  readonly note: string;
}

/** Writes every file of the steps to the staging folder; the worktree does not change. Rejects as `node:fs` does. */
export async function stageKept(
  git: Git,
  { workTree, folder, indexFile, steps, isRaw, note }: Staging,
): Promise<string | undefined> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'new'), { recursive: true });
  await writeFile(join(folder, 'note'), note);
  const paths = steps.filter(({ kept }) => kept !== undefined).map(({ path }) => path);
  if (paths.length === 0) return undefined;
  const command = {
    folder: workTree.topLevel,
    args: ['checkout-index', '--force', `--prefix=${join(folder, 'new')}/`, '--stdin'],
    indexFile,
    input: `${paths.join('\n')}\n`,
  };
  await using raw = isRaw ? await openRawGit(git, workTree) : undefined;
  const end = await (raw?.git ?? git).run(command);
  return end.type === 'failed' ? end.reason : undefined;
}
