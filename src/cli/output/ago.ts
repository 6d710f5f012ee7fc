import { durationInWords } from './durations.ts';

const DAY_MS = 86_400_000;

/** How long ago, as a list shows it: `just now`, `4m10s ago`, `3h05m ago`, `6 days ago`. */
export function ago(at: number, now: number): string {
  const ms = now - at;
  if (ms < 5_000) return 'just now';
  if (ms < 2 * DAY_MS) return `${durationInWords(Math.floor(ms / 1000) * 1000).replace(/\.0s$/, 's')} ago`;
  return `${Math.floor(ms / DAY_MS)} days ago`;
}
