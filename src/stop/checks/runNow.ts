import { childEnvironment } from '../childEnvironment.ts';
import type { GateWorld } from '../world.ts';
import { lockFolder } from './folderLock.ts';
import type { OpenedChecks } from './openChecks.ts';
import { runChecks } from './runChecks.ts';
import type { Check } from './types.ts';
import { leftoversNote, lockNotes, waitingNote } from './words.ts';

type RunWorld = Pick<GateWorld, 'env' | 'clock' | 'onCheck' | 'onWait'> &
  Required<Pick<GateWorld, 'processes' | 'deadlineAt' | 'signal'>>;

/** Runs checks now, whatever is remembered of them, one session at a time. Without results when the folder stays locked. */
export async function runNow(
  opened: Extract<OpenedChecks, { type: 'checks' }>,
  checks: readonly Check[],
  world: RunWorld,
) {
  const { clock, deadlineAt, signal } = world;
  const onWait = (holder: Parameters<typeof waitingNote>[0]) => world.onWait?.(waitingNote(holder));
  const lock = await lockFolder({ file: opened.lockFile, clock, deadlineAt, signal, onWait });
  const notes = [...lockNotes(lock)];
  if (lock.type === 'taken') return { results: [], notes };
  try {
    const results = await runChecks({
      ...world,
      ...{ checks, mark: opened.mark, memory: opened.memory, env: childEnvironment(world.env, {}) },
      ...{ isUnchanged: false, changedByOthers: false, key: null, demand: 'proof', deadlineOf: 'hook' },
      waitedFor: new Set(),
      onLeftovers: (check, leftovers) => notes.push(leftoversNote(check, leftovers)),
    });
    return { results, notes };
  } finally {
    if (lock.type === 'held') await lock.release();
  }
}
