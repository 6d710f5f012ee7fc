import { LATEST_AT, LONGEST_MS } from '../schemas/timeBounds.ts';

/** Times and durations by their names: `runAt`, `offerMs`, and `at` and `ms` of a pause. */
const TIMES = /^(?:ms|at)$|(?:Ms|At)$/;
/** Parts of requests that have times of their own. */
const PARTS: ReadonlySet<string> = new Set(['until', 'next']);

/**
 * The request, if a store can keep its times. One too far away would be written, and then SQLite could read no list in which it is:
 * a misuse by one caller must not stop the others.
 */
export function timely<Request extends object>(request: Request): Request {
  for (const [name, value] of Object.entries(request)) {
    if (PARTS.has(name) && typeof value === 'object' && value !== null) timely(value);
    if (typeof value !== 'number' || !TIMES.test(name)) continue;
    const most = /at$/i.test(name) ? LATEST_AT : LONGEST_MS;
    if (!(Math.abs(value) <= most)) throw new RangeError(`${name} must be from -${most} to ${most}, got ${value}.`);
  }
  return request;
}
