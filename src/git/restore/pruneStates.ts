import type { Git } from '../git.ts';
import { decidePrune, type PruneMarks, type PruneTime } from './decidePrune.ts';
import { type KeptState, listKeptStates } from './keptStates.ts';

export interface PruneRequest {
  readonly folder: string;
  readonly olderThanMs: number;
  readonly now: PruneTime;
  readonly marks: MarkFile;
}

/** Remembers the states to be removed between two calls. */
export interface MarkFile {
  read(): Promise<PruneMarks>;
  /** Rejects when it cannot be written. */
  write(marks: PruneMarks): Promise<void>;
}

/**
 * Removes the refs of states that are too old (see `decidePrune`) unless they changed meanwhile. Git's gc removes the objects.
 * A later call removes those announced.
 */
export async function pruneStates(git: Git, { folder, olderThanMs, now, marks }: PruneRequest) {
  const listed = await listKeptStates(git, folder);
  if (listed.type === 'failed') return { removed: [], announced: [], problems: [listed.reason] };
  const before = await marks.read();
  const decision = decidePrune({ states: listed.states, marks: before, now, olderThanMs });
  const problems: string[] = [];
  if (JSON.stringify(before) !== JSON.stringify(decision.marks)) {
    await marks.write(decision.marks).catch((error: Error) => {
      problems.push(`kept states that are too old could not be marked (${error.message}), so they stay`);
    });
  }
  const removed: KeptState[] = [];
  for (const state of listed.states) {
    if (!decision.remove.has(state.commit)) continue;
    const end = await git.run({ folder, args: ['update-ref', '--no-deref', '-d', state.ref, state.commit] });
    if (end.type === 'done') removed.push(state);
    else problems.push(end.reason);
  }
  const announced = listed.states.filter(({ commit }) => decision.announce.has(commit));
  return { removed, announced: problems.length > 0 ? [] : announced, problems };
}
