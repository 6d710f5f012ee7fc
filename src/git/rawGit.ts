import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from './git.ts';
import { objectStore, oneLine, type WorkTree } from './workTree.ts';

/**
 * Unset for every path, and stronger than any other list of attributes. `working-tree-encoding` and `filter` are made
 * unspecified: git refuses an encoding that is merely unset.
 */
const NO_CONVERSION = '* -text !eol !crlf -ident !filter !working-tree-encoding\n';

/** Git that takes files in and writes them out byte for byte, whatever attributes and configuration say. */
export interface RawGit extends AsyncDisposable {
  readonly git: Git;
}

/**
 * A git folder of its own with the repository's objects: attributes cannot be switched off by an option, but a list in
 * the git folder is stronger than the ones in the tree. No filter of the user runs. Rejects as `node:fs` does.
 */
export async function openRawGit(git: Git, { topLevel, head }: WorkTree): Promise<RawGit> {
  const [objects, format, fileMode] = await Promise.all([
    objectStore(git, topLevel),
    oneLine(git, topLevel, ['rev-parse', '--show-object-format']),
    oneLine(git, topLevel, ['config', '--type=bool', '--get', 'core.fileMode']),
  ]);
  const gitDir = await mkdtemp(join(tmpdir(), 'stopgate-raw-'));
  const remove = () => rm(gitDir, { recursive: true, force: true, maxRetries: 3 });
  try {
    for (const folder of ['refs', 'info', 'objects']) await mkdir(join(gitDir, folder));
    await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(join(gitDir, 'info/attributes'), NO_CONVERSION);
    // on a file system without executable files every file looks like one
    const mode = fileMode === 'false' ? '\tfileMode = false\n' : '';
    const isLong = format === 'sha256' || head?.length === 64;
    const version = isLong ? '\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n' : '';
    await writeFile(join(gitDir, 'config'), `[core]\n\tbare = false\n${mode}${version}`);
  } catch (error) {
    await remove();
    throw error;
  }
  const apart = { gitDir, workTree: topLevel, objects };
  return { git: { ...git, run: (command) => git.run({ ...command, apart }) }, [Symbol.asyncDispose]: remove };
}
