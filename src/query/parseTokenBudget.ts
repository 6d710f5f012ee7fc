import { ownValue } from '../system/ownValue.ts';

/** How a budget is written in a prompt: `+500k` at its start or end, or `use 300k tokens` anywhere in it. */
const AT_START = /^\s*\+(\d+(?:\.\d+)?)\s*([km])\b/i;
const AT_END = /(?:^|\s)\+(\d+(?:\.\d+)?)\s*([km])[.!?]?\s*$/i;
const IN_WORDS = /\b(?:use|spend)\s+(?:about\s+|up to\s+)?(\d+(?:\.\d+)?)\s*([km])\s+tokens?\b/i;

const FACTORS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

/** The budget that a prompt asks for, in tokens, or null. */
export function parseTokenBudget(prompt: string): number | null {
  for (const form of [AT_START, AT_END, IN_WORDS]) {
    const found = form.exec(prompt);
    const [, amount, unit] = found ?? [];
    if (amount !== undefined && unit !== undefined) return toTokens(Number(amount), unit);
  }
  return null;
}

/** `--token-budget 500k`, `2m`, `120000`; null when it is none of these. */
export function parseTokenAmount(text: string): number | null {
  const [, amount, unit] = /^\+?(\d+(?:\.\d+)?)\s*([km])?$/i.exec(text.trim()) ?? [];
  if (amount === undefined) return null;
  const tokens = toTokens(Number(amount), unit ?? '');
  return tokens > 0 ? tokens : null;
}

function toTokens(amount: number, unit: string): number {
  return Math.round(amount * (ownValue(FACTORS, unit.toLowerCase()) ?? 1));
}
