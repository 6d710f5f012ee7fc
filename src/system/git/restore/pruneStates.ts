import type { Git } from '../git.ts';
import { type KeptState, listKeptStates } from './keptStates.ts';

export interface PrunedStates {
  readonly removed: readonly KeptState[];
  readonly problems: readonly string[];
}

/** Removes the refs of states that are older than this; one that changed meanwhile stays. Objects go with git's next gc. */
export async function pruneStates(
  git: Git,
  { folder, olderThanMs, now }: { readonly folder: string; readonly olderThanMs: number; readonly now: number },
): Promise<PrunedStates> {
  const listed = await listKeptStates(git, folder);
  if (listed.type === 'failed') return { removed: [], problems: [listed.reason] };
  const removed: KeptState[] = [];
  const problems: string[] = [];
  for (const state of listed.states) {
    if (now - state.keptAt <= olderThanMs) continue;
    const end = await git.run({ folder, args: ['update-ref', '--no-deref', '-d', state.ref, state.commit] });
    if (end.type === 'done') removed.push(state);
    else problems.push(end.reason);
  }
  return { removed, problems };
}
