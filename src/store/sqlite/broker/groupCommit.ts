import type { Engine, EngineOperation } from '../engine.ts';
import { BUSY_FOR_MS, isBusy, shortWait } from '../retryBusy.ts';

/** One that asks: its requests are served in order, and its turn comes as often as anybody's. */
export interface Asker {
  readonly queue: PendingRequest[];
  gone: boolean;
}

interface PendingRequest {
  readonly operation: EngineOperation;
  readonly request: object;
  /** Called after the commit. */
  readonly reply: (outcome: object | Error) => void;
}

/** Bounds how long the first of a batch waits for the last. */
const LARGEST_BATCH = 64;

export interface GroupCommit {
  ask(asker: Asker, request: PendingRequest): void;
}

/**
 * Everything that was asked in one turn of the event loop is committed together, at the price of one: while the disk is
 * busy with a commit, the next batch gathers by itself. Each asker has one request in a batch, so nobody is crowded out.
 */
export function groupCommit(engine: Engine, schedule: (run: () => void) => void = setImmediate): GroupCommit {
  // in the order in which they are served next
  const waiting = new Set<Asker>();
  let scheduled = false;

  const run = async () => {
    const batch = takeBatch(waiting);
    const outcomes = await performAll(engine, batch);
    for (const [index, { reply }] of batch.entries()) answer(reply, outcomes[index] as object | Error);
    scheduled = false;
    if (waiting.size > 0) later();
  };
  const later = () => {
    if (scheduled) return;
    scheduled = true;
    schedule(() => void run());
  };
  return {
    ask: (asker, request) => {
      asker.queue.push(request);
      waiting.add(asker);
      later();
    },
  };
}

/** What goes wrong while one is answered is not the trouble of those after it. */
function answer(reply: PendingRequest['reply'], outcome: object | Error): void {
  try {
    reply(outcome);
  } catch {
    // it gets no answer, gives up, and finds the file itself
  }
}

/** Somebody who goes past us to the file may have the lock. */
async function performAll(engine: Engine, batch: readonly PendingRequest[]): Promise<(object | Error)[]> {
  const endAt = performance.now() + BUSY_FOR_MS;
  for (;;) {
    const outcomes = performOnce(engine, batch);
    if (!(outcomes.length > 0 && outcomes.every(isBusy)) || performance.now() > endAt) return outcomes;
    await shortWait();
  }
}

/** A bug is told to all who asked, and ends nobody's process. */
function performOnce(engine: Engine, batch: readonly PendingRequest[]): (object | Error)[] {
  try {
    return engine.performTogether(batch);
  } catch (error) {
    return batch.map(() => (error instanceof Error ? error : new Error(String(error))));
  }
}

function takeBatch(waiting: Set<Asker>): PendingRequest[] {
  const batch: PendingRequest[] = [];
  for (const asker of [...waiting]) {
    if (batch.length === LARGEST_BATCH) break;
    // who has hung up has given up, and asks somebody else
    const next = asker.gone ? undefined : asker.queue.shift();
    waiting.delete(asker);
    if (!next) continue;
    batch.push(next);
    if (asker.queue.length > 0) waiting.add(asker);
  }
  return batch;
}
