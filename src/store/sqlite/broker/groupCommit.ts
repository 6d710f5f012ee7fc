import type { EngineOperation } from '../../operationsOver.ts';
import type { Engine } from '../engine.ts';
import { BUSY_FOR_MS, isBusy, shortWait } from '../retryBusy.ts';

/** Its requests are served in order, and each client gets as many turns as any other. */
export interface Client {
  readonly queue: PendingRequest[];
  gone: boolean;
}

interface PendingRequest {
  readonly operation: EngineOperation;
  readonly request: object;
  readonly key?: string | undefined;
  /** Called after the commit. */
  readonly reply: (outcome: object | Error) => void;
}

/** Bounds how long the first of a batch waits for the last. */
const LARGEST_BATCH = 64;

export type GroupCommit = (client: Client, request: PendingRequest) => void;

/**
 * Commits all requests of one turn of the event loop together, at the cost of one: while the disk is busy with a commit, the next
 * batch gathers. Each client has one request per batch, so none is starved.
 */
export function groupCommit(engine: Engine, schedule: (run: () => void) => void = setImmediate): GroupCommit {
  // in the order in which they are served next
  const waiting = new Set<Client>();
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
  return (client, request) => {
    client.queue.push(request);
    waiting.add(client);
    later();
  };
}

/** A failing reply must not affect the ones after it. */
function answer(reply: PendingRequest['reply'], outcome: object | Error): void {
  try {
    reply(outcome);
  } catch {
    // that client gets no answer, gives up, and uses the file
  }
}

/** Retries while another process that uses the file directly has the lock. */
async function performAll(engine: Engine, batch: readonly PendingRequest[]): Promise<(object | Error)[]> {
  const endAt = performance.now() + BUSY_FOR_MS;
  for (;;) {
    const outcomes = performOnce(engine, batch);
    if (!(outcomes.length > 0 && outcomes.every(isBusy)) || performance.now() > endAt) return outcomes;
    await shortWait();
  }
}

/** A bug is returned to all clients and does not end the process. */
function performOnce(engine: Engine, batch: readonly PendingRequest[]): (object | Error)[] {
  try {
    return engine.performTogether(batch);
  } catch (error) {
    return batch.map(() => (error instanceof Error ? error : new Error(String(error))));
  }
}

function takeBatch(waiting: Set<Client>): PendingRequest[] {
  const batch: PendingRequest[] = [];
  for (const client of [...waiting]) {
    if (batch.length === LARGEST_BATCH) break;
    // a client that has hung up is skipped
    const next = client.gone ? undefined : client.queue.shift();
    waiting.delete(client);
    if (!next) continue;
    batch.push(next);
    if (client.queue.length > 0) waiting.add(client);
  }
  return batch;
}
