import type { GateEndingType } from '../../schemas/gateDecision.ts';
import { ownValue } from '../../system/ownValue.ts';
import type { Paint } from './colors.ts';

/**
 * The words for how a stop, a hook or a run ended, each with its own symbol and color, so that none is taken for another with
 * or without colors. The first nine are verdicts; the others say why there was none to give.
 */
export const OUTCOMES = {
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

/** Of messages about a stop: one that was sent back and a hook without a verdict must not look alike. */
export const STOP_OUTCOMES: Readonly<Record<string, Outcome>> = {
  stop_hook_blocked: 'blocked',
  stop_hook_error: 'no verdict',
};

/** The word for each ending of the gate; stored names stay as they are. */
export const ENDING_OUTCOMES: Readonly<Record<GateEndingType, Outcome>> = {
  passed: 'passed',
  advised: 'advised',
  accepted: 'accepted',
  waived: 'waived',
  blocked: 'blocked',
  stalled: 'stalled',
  capped: 'capped',
  skipped: 'skipped',
  outOfTime: 'no verdict',
  notArmed: 'not armed',
  notAsked: 'no verdict',
  error: 'error',
  left_running: 'left running',
  no_work: 'no work',
};

/** Null for the end of a turn or a launch that is not an answer of the gate: `completed`, `expired`, … */
export const outcomeOfEnding = (ending: string): Outcome | null => ownValue(ENDING_OUTCOMES, ending) ?? null;

/** `stalled`, `no verdict`, `budget exhausted`. */
export const outcomeWord = (ending: string): string => outcomeOfEnding(ending) ?? ending.replaceAll('_', ' ');

/** The symbol, then the reason, with the word before it where the reason does not have it: `= stalled (still failing: tests)`. */
export function describeOutcome(ending: string, reason: string): string {
  const word = outcomeWord(ending);
  const words =
    reason === ''
      ? word
      : reason.startsWith(word) || reason === ending
        ? reason.replace(ending, word)
        : `${word}: ${reason}`;
  const outcome = outcomeOfEnding(ending);
  return outcome === null ? words : markedOutcome(outcome, words);
}
