import { ownValue } from '../system/ownValue.ts';
/** How long kept work stays. */
export type KeepWork =
  | { readonly type: 'forever' }
  | { readonly type: 'for'; readonly ms: number; readonly text: string }
  | { readonly type: 'bad'; readonly message: string };

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { d: DAY_MS, w: 7 * DAY_MS, h: 3_600_000 };
const DEFAULT: KeepWork = { type: 'for', ms: 30 * DAY_MS, text: '30d' };

/** The value of `keepWork` in a settings file: `"30d"`, `"12w"`, `"48h"` or `"forever"`; 30 days without one. */
export function keepWorkSetting(value: unknown, file = 'settings'): KeepWork {
  if (value === undefined) return DEFAULT;
  if (value === 'forever') return { type: 'forever' };
  const [, number, unit = ''] = /^\s*(\d{1,5})\s*([dwh])\s*$/.exec(typeof value === 'string' ? value : '') ?? [];
  const ms = Number(number) * (ownValue(UNITS, unit) ?? 0);
  if (ms > 0) return { type: 'for', ms, text: `${number}${unit}` };
  const message = `${file}: keepWork must be a time such as "30d" or "forever", got ${JSON.stringify(value)}; nothing was removed`;
  return { type: 'bad', message };
}
