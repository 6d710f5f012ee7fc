import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Git } from '../git/git.ts';
import type { MarkFile } from '../git/restore/pruneStates.ts';
import { oneLine } from '../git/workTree.ts';
import { pruneMarks } from '../schemas/pruneMarks.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';

/** In the person's home, one file per repository: an agent that can write to the repository cannot make work look old. */
export async function openMarks(git: Git, folder: string, stopgateHome: string): Promise<MarkFile> {
  const common = await oneLine(git, folder, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  const name = createHash('sha256')
    .update(common ?? folder)
    .digest('hex')
    .slice(0, 32);
  const file = path.join(stopgateHome, 'kept', `${name}.json`);
  return {
    async read() {
      try {
        return pruneMarks.parse(JSON.parse(await readFile(file, 'utf8')));
      } catch {
        // missing or torn: what is too old is announced again
        return {};
      }
    },
    async write(marks) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFileAtomically(file, `${JSON.stringify(marks)}\n`, { mode: 0o600 });
    },
  };
}
