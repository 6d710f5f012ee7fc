import type { Engine, EngineOperation } from '../engine.ts';
import { BUSY_FOR_MS, isBusy, shortWait } from '../retryBusy.ts';

/** A client: its requests are served in order, and its turn comes as often as that of any other. */
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
 * All requests of one turn of the event loop are committed together, at the price of one: while the disk is
 * busy with a commit, the next batch gathers by itself. Each asker has one request in a batch, so no client is crowded out.
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

/** A process that works at the file itself may have the lock. */
async function performAll(engine: Engine, batch: readonly PendingRequest[]): Promise<(object | Error)[]> {
  const endAt = performance.now() + BUSY_FOR_MS;
  for (;;) {
    const outcomes = performOnce(engine, batch);
    if (!(outcomes.length > 0 && outcomes.every(isBusy)) || performance.now() > endAt) return outcomes;
    await shortWait();
  }
}

/** A bug is returned to all clients, and ends no process. */
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
    // a client that has hung up has given up
    const next = asker.gone ? undefined : asker.queue.shift();
    waiting.delete(asker);
    if (!next) continue;
    batch.push(next);
    if (asker.queue.length > 0) waiting.add(asker);
  }
  return batch;
}
