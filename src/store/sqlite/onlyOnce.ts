import { jsonValue } from '../../schemas/jsonValue.ts';
import type { Tables } from './tables.ts';

/** A stopped process may carry out what it was sent as long as this after its client did it itself. */
const KEPT_MS = 24 * 3_600_000;

const ANSWER = 'SELECT outcome FROM answers WHERE key = ?';
const KEEP = 'INSERT INTO answers VALUES (?, ?, ?)';
const FORGET = 'DELETE FROM answers WHERE at < ?';

/** Of two requests with one key, the second gets the answer of the first. Inside its caller's transaction. */
export function onlyOnce(tables: Tables, key: string, act: () => object): object {
  const before = jsonValue(tables.get<{ outcome: string }>(ANSWER, key)?.outcome ?? '');
  if (typeof before === 'object' && before !== null) return before;
  const outcome = act();
  tables.run(FORGET, tables.now - KEPT_MS);
  tables.run(KEEP, key, tables.now, JSON.stringify(outcome));
  return outcome;
}
