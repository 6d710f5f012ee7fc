const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A length of time as an agent reads it best: `40 s`, `18 min`, `3 h 5 min`, `6 days`. */
export function spanInWords(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.floor(ms / 1000))} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} days`;
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  return `${Math.floor(ms / HOUR_MS)} h${minutes === 0 ? '' : ` ${minutes} min`}`;
}

/** Ages are told, never moments: a moment that is replayed in a resumed session reads as now. */
export function agoInWords(at: number, now: number): string {
  return now - at < 1000 ? 'just now' : `${spanInWords(now - at)} ago`;
}
