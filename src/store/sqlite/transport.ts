import type { Clock } from '../../system/clock.ts';
import type { EngineOperation } from '../operationsOver.ts';
import type { Engine } from './engine.ts';
import { retryBusy } from './retryBusy.ts';

/** How requests reach a SQLite store: at the file itself, or through a process that has it open. */
export interface SqliteTransport {
  readonly path: string;
  /** With a key: has one effect, and the same answer, however often it arrives. */
  perform(operation: EngineOperation, request: object, key?: string): Promise<object>;
  /** Resolves on a change, after this time, or when the signal aborts; never rejects. */
  changed(withinMs: number, signal: AbortSignal | undefined): Promise<void>;
  /** The file itself, for what needs more than one transaction. */
  engine(): Engine;
  close(): Promise<void>;
}

export function directTransport(engine: Engine, clock: Clock): SqliteTransport {
  return {
    path: engine.path,
    perform: (operation, request, key) => retryBusy(() => engine.perform(operation, request, key)),
    changed: watchChanges(engine, clock),
    engine: () => engine,
    close: async () => engine.close(),
  };
}

/** How long a task added by another process may stay unnoticed. */
const CHECK_EVERY_MS = 100;

/**
 * Detects commits of other processes by SQLite's counter, which costs a read of shared memory, and those of this process, which
 * that counter omits, by a listener.
 */
function watchChanges(engine: Engine, clock: Clock): SqliteTransport['changed'] {
  let ownCommits = 0;
  engine.onCommit(() => {
    ownCommits += 1;
  });
  const version = (): string => {
    if (!engine.database.isOpen) return 'closed';
    const seen = engine.tables.get<{ dataVersion: number }>('PRAGMA data_version');
    return `${seen?.dataVersion} ${ownCommits}`;
  };
  return async (withinMs, signal) => {
    const before = version();
    const endAt = clock.now() + withinMs;
    for (let leftMs = withinMs; leftMs > 0 && !signal?.aborted; leftMs = endAt - clock.now()) {
      await clock.sleep(Math.min(CHECK_EVERY_MS, leftMs), signal);
      if (version() !== before) return;
    }
  };
}
