import type { Git } from '../../../git/git.ts';
import type { PlannedRestore } from '../../../git/restore/planRestore.ts';
import type { World } from '../../../system/world.ts';
import type { Writer } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { visibleText } from '../../output/visibleText.ts';

export interface DiffFacts {
  readonly folder: string;
  readonly planned: PlannedRestore;
  readonly world: Pick<World, 'env'>;
  readonly writer: Writer;
}

/** From the present files to what they will be, line by line as it comes. */
export async function printDiff(git: Git, { folder, planned, world, writer }: DiffFacts): Promise<void> {
  if (planned.result === undefined) return;
  const paint = paintFor(writer.outIsTerminal, world.env);
  const onLine = (line: string) => {
    // into a pipe as git prints it: a patch is for programs
    if (!writer.outIsTerminal) return writer.raw.out(`${line}\n`);
    const shown = visibleText(line);
    const color = /^\+/.test(shown) ? 'green' : /^-/.test(shown) ? 'red' : undefined;
    writer.out(`${color ? paint(color, shown) : shown}\n`);
  };
  const args = ['diff-tree', '-r', '-p', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color'];
  await git.run({ folder, args: [...args, planned.presentTree, planned.result.tree], onLine });
}
