import type { Tables } from '../tables.ts';

export interface ReadyEntry {
  readonly seq: number;
  readonly priority: number;
  readonly runAt: number;
}

export interface ReadyScan {
  /** The one that is to be taken first. */
  readonly due: ReadyEntry | undefined;
  /** If none is due: when the first will be. */
  readonly nextDueAt: number | null;
}

const READY = `state = 'queued' AND unmet = 0 AND hold_reason IS NULL`;
const ORDER = 'ORDER BY priority, run_at, seq LIMIT 1';
const NEXT_OF_ANY = `SELECT seq, priority, run_at AS runAt FROM tasks INDEXED BY tasks_ready
  WHERE queue = ? AND ${READY} AND priority > ? ${ORDER}`;
const NEXT_OF_TYPE = `SELECT seq, priority, run_at AS runAt FROM tasks INDEXED BY tasks_ready_by_type
  WHERE queue = ? AND type = ? AND ${READY} AND priority > ? ${ORDER}`;

/** Below every priority. */
const LOWEST = -(2 ** 31);

/**
 * Looks at the first entry of each priority until one is due. A million delayed tasks in front cost one look: within a
 * priority the index has them behind what is due, and the next priority is a seek away.
 */
export function scanReady(tables: Tables, queue: string, types: readonly string[] | undefined): ReadyScan {
  if (types === undefined) return scan(tables, (above) => tables.get<ReadyEntry>(NEXT_OF_ANY, queue, above));
  return types
    .map((type) => scan(tables, (above) => tables.get<ReadyEntry>(NEXT_OF_TYPE, queue, type, above)))
    .reduce(firstOf, { due: undefined, nextDueAt: null });
}

function scan(tables: Tables, next: (abovePriority: number) => ReadyEntry | undefined): ReadyScan {
  let nextDueAt: number | null = null;
  for (let entry = next(LOWEST); entry; entry = next(entry.priority)) {
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
