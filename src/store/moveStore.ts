import type { ImportOutcome, Store } from './types.ts';
import { unavailable } from './unavailable.ts';

type MoveOutcome =
  | { readonly type: 'moved'; readonly rows: number; readonly generation: number }
  | Exclude<ImportOutcome, { readonly type: 'imported' }>;

/**
 * Copies everything; the old store then only names the new one. It refuses changes from the start, so the copy is complete. If the
 * copy certainly failed, the old store is reopened: two stores in use would be worse than none. An interrupted move continues when
 * it is called again.
 */
export async function moveStore(from: Store, to: Store, toName: string): Promise<MoveOutcome> {
  const before = await from.about();
  if (before.type === 'unavailable') return before;
  if (before.movedTo !== null && before.movedTo !== toName)
    return unavailable(
      'moved',
      `The tasks of ${before.location} have moved to ${before.movedTo}; move them from there.`,
    );
  const started = before.movedTo === null ? await from.startMove({ to: toName }) : undefined;
  if (started?.type === 'unavailable') return started;
  const openAgain = async () => {
    if (before.movedTo === null) await from.cancelMove();
  };
  try {
    const outcome = await to.importAll(from.exportAll());
    if (outcome.type === 'imported') return { ...outcome, type: 'moved' };
    // if the new store went away during its commit, only it knows whether it committed
    const after = outcome.type === 'unavailable' ? await to.about() : before;
    if (after.type === 'unavailable') return outcome;
    if (after.generation > before.generation) return { type: 'moved', rows: 0, generation: after.generation };
    await openAgain();
    return outcome;
  } catch (error) {
    // interrupted between two rows, so nothing was committed
    await openAgain();
    throw error;
  }
}
