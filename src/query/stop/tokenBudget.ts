import { systemClock } from '../../system/clock.ts';
import { ownValue } from '../../system/ownValue.ts';

/**
 * A turn may carry a budget of output tokens that it is meant to use up. A model that stops before is nudged to
 * continue, until it has used 90% of it or its continuations no longer add anything.
 */

const COMPLETION_THRESHOLD = 0.9;
const DIMINISHING_THRESHOLD = 500;
const CONTINUATIONS_BEFORE_DIMINISHING = 3;

/** What one turn remembers of its budget. `checkTokenBudget` changes nothing else. */
export interface BudgetTracker {
  continuationCount: number;
  lastDeltaTokens: number;
  lastGlobalTurnTokens: number;
  startedAt: number;
}

/** How far a turn has come. */
export interface BudgetProgress {
  readonly continuationCount: number;
  readonly pct: number;
  readonly turnTokens: number;
  readonly budget: number;
}

export interface BudgetCompletion extends BudgetProgress {
  readonly diminishingReturns: boolean;
  readonly durationMs: number;
}

export type TokenBudgetDecision =
  | ({ readonly action: 'continue'; readonly nudgeMessage: string } & BudgetProgress)
  | { readonly action: 'stop'; readonly completionEvent: BudgetCompletion | null };

export function createBudgetTracker(now = systemClock.now()): BudgetTracker {
  return { continuationCount: 0, lastDeltaTokens: 0, lastGlobalTurnTokens: 0, startedAt: now };
}

/** May the turn stop, as far as its budget goes? Subagents have none of their own. */
export function checkTokenBudget(
  tracker: BudgetTracker,
  agentId: string | undefined,
  budget: number | null,
  turnTokens: number,
  now = systemClock.now(),
): TokenBudgetDecision {
  if (agentId || budget === null || budget <= 0) return { action: 'stop', completionEvent: null };
  const pct = Math.round((turnTokens / budget) * 100);
  const delta = turnTokens - tracker.lastGlobalTurnTokens;
  const diminishingReturns =
    tracker.continuationCount >= CONTINUATIONS_BEFORE_DIMINISHING &&
    delta < DIMINISHING_THRESHOLD &&
    tracker.lastDeltaTokens < DIMINISHING_THRESHOLD;
  if (!diminishingReturns && turnTokens < budget * COMPLETION_THRESHOLD) {
    tracker.continuationCount += 1;
    tracker.lastDeltaTokens = delta;
    tracker.lastGlobalTurnTokens = turnTokens;
    const { continuationCount } = tracker;
    const nudgeMessage = getBudgetContinuationMessage(pct, turnTokens, budget);
    return { action: 'continue', nudgeMessage, continuationCount, pct, turnTokens, budget };
  }
  const { continuationCount } = tracker;
  if (!diminishingReturns && continuationCount === 0) return { action: 'stop', completionEvent: null };
  const durationMs = now - tracker.startedAt;
  return {
    action: 'stop',
    completionEvent: { continuationCount, pct, turnTokens, budget, diminishingReturns, durationMs },
  };
}

/** The hidden message that keeps the model working. */
export function getBudgetContinuationMessage(pct: number, turnTokens: number, budget: number): string {
  return `You stopped at ${pct}% of the token budget (${thousands(turnTokens)} of ${thousands(budget)} tokens). Keep working on the task; do not summarize.`;
}

/** `1,234,567`, the same in every locale. */
function thousands(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');
}

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

/** The budget that a person asks for in a prompt. Call it with the person's own words only: piped text is data. */
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
