/** The conditions of the indexes in tables.sql. A statement that uses an index must repeat its condition verbatim. */
export const READY = `state = 'queued' AND unmet = 0 AND hold_reason IS NULL`;
export const WAITING = `state = 'queued' AND (unmet > 0 OR hold_reason IS NOT NULL)`;
export const APART = `(state = 'verifying' OR state = 'dead' OR state = 'cancelled')`;
/** Among these tasks a dedupe key occurs once. */
export const UNIQUE = `dedupe_key IS NOT NULL AND (state = 'queued' OR state = 'claimed' OR state = 'verifying')`;
