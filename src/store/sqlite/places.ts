/**
 * Where tasks are looked for: each is what an index covers, and what a statement says that goes by it, word for word.
 *
 * None of them says `IN (…)`: of more than two values SQLite makes a table, with pages of its own, and looks into it; as a
 * condition of an index it did so three times at each change of a task.
 */
const oneOf = (...states: readonly string[]) => `(${states.map((state) => `state = '${state}'`).join(' OR ')})`;

export const READY = `state = 'queued' AND unmet = 0 AND hold_reason IS NULL`;
export const WAITING = `state = 'queued' AND (unmet > 0 OR hold_reason IS NOT NULL)`;
export const APART = oneOf('verifying', 'dead', 'cancelled');
/** Among these a dedupe key is there once. */
export const UNIQUE = `dedupe_key IS NOT NULL AND ${oneOf('queued', 'claimed', 'verifying')}`;

export const ANY_TASK_STATE = oneOf('queued', 'claimed', 'verifying', 'done', 'dead', 'cancelled');
export const ANY_WORKER_STATE = oneOf('launching', 'live', 'draining', 'stopped', 'lost');
