import path from 'node:path';
import type { WorkProgress } from '../../query/params.ts';
import { type GateEnding, isSettled } from '../../stop/ending.ts';
import type { World } from '../../system/world.ts';
import { OWN_GATES } from './ownGates.ts';

/** What our own agent knows of its work at a stop. Loads git only when a stop was sent back. */
export function workProgress({ cwd, stopgateHome, processes, env }: World, latest: () => GateEnding): WorkProgress {
  return {
    fingerprint: async () => {
      const { openGit } = await import('../../git/git.ts');
      const { treeDigest } = await import('../../git/treeDigest.ts');
      const tree = await treeDigest(openGit({ processes, env }), {
        folder: cwd,
        mirrors: path.join(stopgateHome, 'mirrors'),
      });
      return tree.type === 'digest' ? tree.digest : null;
    },
    isDone: () => isSettled(latest()),
    isOwnGate: (hook) => OWN_GATES.has(hook),
  };
}
