import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './git.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { objectStore, oneLine, type WorkTree } from './workTree.ts';

/** Overrides every other list of attributes. `!` instead of `-`: git refuses an encoding that is merely unset. */
const NO_CONVERSION = '* -text !eol !crlf -ident !filter !working-tree-encoding\n';

/**
 * Calls `use` with a git that reads and writes files byte for byte, whatever attributes and configuration say: by a
 * separate git folder with the repository's objects, because no option disables attributes, but a list in the git folder
 * overrides those in the tree. No filter of the user runs.
 */
export async function withRawGit<Result>(
  git: Git,
  { topLevel, head }: WorkTree,
  use: (raw: Git) => Promise<Result>,
): Promise<Result> {
  const [objects, format, fileMode] = await Promise.all([
    objectStore(git, topLevel),
    oneLine(git, topLevel, ['rev-parse', '--show-object-format']),
    oneLine(git, topLevel, ['config', '--type=bool', '--get', 'core.fileMode']),
  ]);
  await using folder = await temporaryFolder('raw');
  const gitDir = folder.path;
  for (const name of ['refs', 'info', 'objects']) await mkdir(join(gitDir, name));
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  await writeFile(join(gitDir, 'info/attributes'), NO_CONVERSION);
  const isSha256 = format === 'sha256' || head?.length === 64;
  await writeFile(join(gitDir, 'config'), configText({ isSha256, hasFileMode: fileMode !== 'false' }));
  const apart = { gitDir, workTree: topLevel, objects };
  return await use({ ...git, run: (command) => git.run({ ...command, apart }) });
}

/** The configuration of a separate git folder. Without file modes, every file looks executable to git. */
export function configText({ isSha256, hasFileMode = true }: { isSha256: boolean; hasFileMode?: boolean }): string {
  const mode = hasFileMode ? '' : '\tfileMode = false\n';
  const version = isSha256 ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' : '';
  return `[core]\n\tbare = false\n${mode}${version}`;
}
