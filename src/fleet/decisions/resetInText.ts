/** When a limit ends, as far as the words of an error name it. */
export interface NamedReset {
  readonly resetAt?: number;
  readonly retryAfterMs?: number;
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** `resets at 1794785008`, `try again in 40 s`: taken at its word; nothing when no time is named. */
export function resetInText(text: string, now: number): NamedReset {
  const [, epoch] = /\b(1[6-9]\d{8})\b/.exec(text) ?? [];
  if (epoch !== undefined && Number(epoch) * 1000 > now) return { resetAt: Number(epoch) * 1000 };
  const [, amount, unit = 's'] = /\bin (\d+) ?(s|m|h)(?:ec|in|our)?/i.exec(text) ?? [];
  return amount === undefined ? {} : { retryAfterMs: Number(amount) * (SECONDS[unit.toLowerCase()] ?? 1) * 1000 };
}
