import { durationInWords } from '../../output/durations.ts';

const DAY_MS = 86_400_000;

/** A length of virtual time: `0s`, `12.3s`, `4m10s`, `3h05m`, `6.5d`. */
export function spanText(ms: number): string {
  if (ms < 1) return '0s';
  return ms >= 4 * DAY_MS ? `${(ms / DAY_MS).toFixed(1)}d` : durationInWords(ms);
}

export const amountText = (value: number) =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });

export const moneyText = (value: number) =>
  `$${value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

export const percentText = (share: number) => `${(share * 100).toFixed(1)}%`;
