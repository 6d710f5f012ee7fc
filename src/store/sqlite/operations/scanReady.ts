import { READY } from '../places.ts';
import type { Tables } from '../tables.ts';

interface ReadyEntry {
  readonly seq: number;
  readonly priority: number;
  readonly runAt: number;
  readonly epoch: number;
}

export interface ReadyScan {
  /** The one that is to be taken first. */
  readonly due: ReadyEntry | undefined;
  /** If none is due: when the first will be. */
  readonly nextDueAt: number | null;
}

const ORDER = 'ORDER BY priority, run_at, seq LIMIT 1';
const NEXT_OF_TYPE = `SELECT seq, priority, run_at AS runAt, epoch FROM tasks INDEXED BY tasks_ready
  WHERE queue = ? AND type = ? AND ${READY} AND priority > ? ${ORDER}`;

/** The first entry of a type, and whether there is another type: mostly there is one only, and one look does. */
interface FirstOfType extends ReadyEntry {
  readonly type: string;
  readonly more: number;
}

const firstOfType = (condition: string) => `SELECT seq, type, priority, run_at AS runAt, epoch,
  EXISTS (SELECT 1 FROM tasks INDEXED BY tasks_ready WHERE queue = t.queue AND type > t.type AND ${READY}) AS more
  FROM tasks t INDEXED BY tasks_ready WHERE queue = ? AND ${READY} ${condition} ORDER BY type, priority, run_at, seq LIMIT 1`;
const FIRST_TYPE = firstOfType('');
const NEXT_TYPE = firstOfType('AND type > ?');

/** Below every priority. */
const LOWEST = -(2 ** 31);

/**
 * Looks at the first entry of each priority until one is due. A million delayed tasks in front cost one look: within a
 * priority the index has them behind what is due, and the next priority is a seek away.
 */
export function scanReady(tables: Tables, queue: string, types: readonly string[] | undefined): ReadyScan {
  if (types === undefined) return scanAllTypes(tables, queue);
  return types
    .map((type) => scan(tables, queue, type, tables.get<ReadyEntry>(NEXT_OF_TYPE, queue, type, LOWEST)))
    .reduce(firstOf, NOTHING);
}

const NOTHING: ReadyScan = { due: undefined, nextDueAt: null };

function scanAllTypes(tables: Tables, queue: string): ReadyScan {
  let found = NOTHING;
  for (let first = tables.get<FirstOfType>(FIRST_TYPE, queue); first; ) {
    found = firstOf(found, scan(tables, queue, first.type, first));
    first = first.more ? tables.get<FirstOfType>(NEXT_TYPE, queue, first.type) : undefined;
  }
  return found;
}

function scan(tables: Tables, queue: string, type: string, first: ReadyEntry | undefined): ReadyScan {
  const next = (above: number) => tables.get<ReadyEntry>(NEXT_OF_TYPE, queue, type, above);
  let nextDueAt: number | null = null;
  for (let entry = first; entry; entry = next(entry.priority)) {
    if (entry.runAt <= tables.now) return { due: entry, nextDueAt };
    nextDueAt = Math.min(nextDueAt ?? entry.runAt, entry.runAt);
  }
  return { due: undefined, nextDueAt };
}

function firstOf(a: ReadyScan, b: ReadyScan): ReadyScan {
  const nextDueAt = a.nextDueAt === null ? b.nextDueAt : Math.min(a.nextDueAt, b.nextDueAt ?? a.nextDueAt);
  return { due: b.due && (!a.due || comesBefore(b.due, a.due)) ? b.due : a.due, nextDueAt };
}

function comesBefore(a: ReadyEntry, b: ReadyEntry): boolean {
  return (a.priority - b.priority || a.runAt - b.runAt || a.seq - b.seq) < 0;
}
