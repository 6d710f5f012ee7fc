import type { Clock } from '../../system/clock.ts';
import { watchChanges } from './changes.ts';
import type { Engine, EngineOperation } from './engine.ts';
import { retryBusy } from './retryBusy.ts';

/** A way to a SQLite store: the file itself, or a process that has it open. */
export interface SqliteTransport {
  readonly path: string;
  perform(operation: EngineOperation, request: object): Promise<object>;
  /** Resolves when something changed, when the time is over, or when the signal aborts; never rejects. */
  changed(withinMs: number, signal: AbortSignal | undefined): Promise<void>;
  /** The file itself, for what is more than one transaction. */
  engine(): Engine;
  close(): Promise<void>;
}

export function directTransport(engine: Engine, clock: Clock): SqliteTransport {
  const changes = watchChanges(engine, clock);
  return {
    path: engine.path,
    perform: (operation, request) => retryBusy(() => engine.perform(operation, request)),
    changed: changes.next,
    engine: () => engine,
    close: async () => engine.close(),
  };
}
