import { ownValue } from '../../system/ownValue.ts';

/** How a budget is written in a prompt: `+500k` or `use 300k tokens`, as its first or its last words. */
const AMOUNT = String.raw`(\d+(?:\.\d+)?)\s*([km])`;
const IN_WORDS = String.raw`(?:use|spend)\s+(?:about\s+|up to\s+)?${AMOUNT}\s+tokens?`;

const FORMS: readonly { readonly place: BudgetPlace; readonly pattern: RegExp }[] = [
  { place: 'first', pattern: new RegExp(String.raw`^\s*(\+${AMOUNT}\b)`, 'i') },
  { place: 'first', pattern: new RegExp(String.raw`^\s*(${IN_WORDS}\b)(?!\.\w)`, 'i') },
  { place: 'last', pattern: new RegExp(String.raw`(?:^|\s)(\+${AMOUNT})[.!?]?\s*$`, 'i') },
  { place: 'last', pattern: new RegExp(String.raw`\b(${IN_WORDS})[.!?]?\s*$`, 'i') },
];

const FACTORS: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };

type BudgetPlace = 'first' | 'last';

export type PromptBudget =
  | { readonly type: 'none' }
  | { readonly type: 'asked'; readonly tokens: number; readonly written: string; readonly place: BudgetPlace }
  /** The words are there, in a text that looks like a diff: they are probably one of its lines. */
  | { readonly type: 'unclear'; readonly written: string };

/** The budget that a person's own words ask for. Call it with those alone: piped text is data. */
export function parseTokenBudget(prompt: string): PromptBudget {
  for (const { place, pattern } of FORMS) {
    const [, written, amount, unit] = pattern.exec(prompt) ?? [];
    if (written === undefined || amount === undefined || unit === undefined) continue;
    const tokens = toTokens(Number(amount), unit);
    if (tokens <= 0) continue;
    return looksLikeDiff(prompt) ? { type: 'unclear', written } : { type: 'asked', tokens, written, place };
  }
  return { type: 'none' };
}

/** `-p "review $(git diff)"`: the last line of an argument may be any line of a diff. */
function looksLikeDiff(text: string): boolean {
  if (/^(?:diff --git |@@ .*@@|\+\+\+ |--- )/m.test(text)) return true;
  return (text.match(/^\+/gm) ?? []).length > 1;
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
