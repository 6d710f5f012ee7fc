import type { ImportOutcome, Outcomes, Store } from './types.ts';
import type { Unavailable } from './unavailable.ts';

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
  if (before.movedTo !== null && before.movedTo !== toName) return movedElsewhere(before);
  const started = before.movedTo === null ? await from.startMove({ to: toName }) : undefined;
  if (started?.type === 'unavailable') return started;
  const openAgain = async () => {
    if (before.movedTo === null) await from.cancelMove();
  };
  try {
    const outcome = await to.importAll(from.exportAll());
    if (outcome.type === 'imported') return { ...outcome, type: 'moved' };
    return outcome.type === 'unavailable'
      ? await decideLost(outcome, { before, to, openAgain })
      : await undone(outcome, openAgain);
  } catch (error) {
    // interrupted between two rows, so nothing was committed
    await openAgain();
    throw error;
  }
}

async function undone(outcome: MoveOutcome, openAgain: () => Promise<void>): Promise<MoveOutcome> {
  await openAgain();
  return outcome;
}

interface LostAnswer {
  readonly before: Outcomes['about'];
  readonly to: Store;
  readonly openAgain: () => Promise<void>;
}

/** The new store went away during its commit: only it knows whether it committed. */
async function decideLost(outcome: Unavailable, { before, to, openAgain }: LostAnswer): Promise<MoveOutcome> {
  const after = await to.about();
  if (after.type === 'unavailable') return outcome;
  if (after.generation <= before.generation) return undone(outcome, openAgain);
  return { type: 'moved', rows: 0, generation: after.generation };
}

function movedElsewhere({ location, movedTo }: Outcomes['about']): Unavailable {
  const reason = `The tasks of ${location} have moved to ${movedTo}; move them from there.`;
  return { type: 'unavailable', cause: 'moved', reason };
}
