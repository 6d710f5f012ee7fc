import type { Paint } from './colors.ts';

/**
 * The words for how a stop, a hook or a run ended, each with its own symbol and color, so that none is taken for another with
 * or without colors. The first nine are verdicts; the others say why there was none to give.
 */
const OUTCOMES = {
  passed: { symbol: '✓', style: 'green' },
  advised: { symbol: 'i', style: 'cyan' },
  blocked: { symbol: '✗', style: 'magenta' },
  waived: { symbol: '~', style: 'blue' },
  accepted: { symbol: '≈', style: 'blueBright' },
  capped: { symbol: '^', style: 'redBright' },
  stalled: { symbol: '=', style: 'yellow' },
  'no verdict': { symbol: '?', style: 'yellowBright' },
  error: { symbol: '!', style: 'red' },
  skipped: { symbol: '-', style: 'dim' },
  'not armed': { symbol: '-', style: 'dim' },
  'left running': { symbol: '&', style: 'yellow' },
  'no work': { symbol: '0', style: 'red' },
} as const;

export type Outcome = keyof typeof OUTCOMES;

export const outcomeStyle = (outcome: Outcome) => OUTCOMES[outcome].style;

/** `✗ blocked`, or its symbol before other words. */
export const markedOutcome = (outcome: Outcome, words: string = outcome): string =>
  `${OUTCOMES[outcome].symbol} ${words}`;

export const paintedOutcome = (outcome: Outcome, paint: Paint, words?: string): string =>
  paint(outcomeStyle(outcome), markedOutcome(outcome, words));
