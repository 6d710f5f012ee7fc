import type { WorkerFacts } from '../../worker.ts';
import type { Tables } from '../tables.ts';

const COLUMNS: Readonly<Record<keyof WorkerFacts, string>> = {
  kind: 'kind',
  queue: 'queue',
  types: 'types',
  host: 'host',
  pid: 'pid',
  pidStart: 'pid_start',
  sessionId: 'session_id',
  accountKey: 'account_key',
  idleLimitMs: 'idle_limit_ms',
};

/** Keeps what is said and leaves the rest as it is; the names of what was said. */
export function keepFacts(tables: Tables, workerId: string, facts: WorkerFacts): string[] {
  const names = (Object.keys(COLUMNS) as (keyof WorkerFacts)[]).filter((name) => facts[name] !== undefined);
  if (names.length === 0) return [];
  const values = names.map((name) => {
    const value = facts[name];
    return value === undefined || value === null ? null : typeof value === 'object' ? JSON.stringify(value) : value;
  });
  const assignments = names.map((name) => `${COLUMNS[name]} = ?`).join(', ');
  tables.run(`UPDATE workers SET ${assignments} WHERE id = ?`, ...values, workerId);
  return names;
}
