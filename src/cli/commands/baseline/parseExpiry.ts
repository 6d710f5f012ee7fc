import { parseDuration } from '../../../budget/timeBudget.ts';
import { UserError } from '../../../system/userError.ts';

/** `12h`, `14d`, `2w` from now, or the end of a day; as ISO 8601. */
export function parseExpiry(text: string, now: number): string {
  const at = timeOf(text.trim(), now);
  if (Number.isNaN(at)) {
    throw new UserError(
      `--expires must be a time such as 12h, 14d or 2w, or a date such as 2027-01-31, got "${text}".`,
    );
  }
  if (at <= now) throw new UserError(`--expires must be in the future, got "${text}".`);
  return new Date(at).toISOString();
}

function timeOf(text: string, now: number): number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Date.parse(`${text}T23:59:59.999`);
  const seconds = /^\d+$/.test(text) ? null : parseDuration(text);
  return seconds === null ? Number.NaN : now + seconds * 1000;
}
