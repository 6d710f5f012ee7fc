import { expect, it } from 'vitest';
import { describeOutcome, markedOutcome, type Outcome, outcomeStyle, paintedOutcome } from './outcomes.ts';

const EIGHT: readonly Outcome[] = [
  'passed',
  'advised',
  'blocked',
  'waived',
  'capped',
  'stalled',
  'no verdict',
  'error',
];

it('tells eight outcomes apart without colors', () => {
  expect(new Set(EIGHT.map((outcome) => markedOutcome(outcome, ''))).size).toBe(8);
});

it('and by their colors', () => {
  expect(new Set(EIGHT.map(outcomeStyle)).size).toBe(8);
});

it('paints symbol and words together', () => {
  expect(paintedOutcome('blocked', (style, text) => `<${style}>${text}`, 'exit 2')).toBe('<magenta>✗ exit 2');
  expect(paintedOutcome('error', (_style, text) => text)).toBe('! error');
});

it.each([
  ['stalled', 'stalled (still failing: tests)', '= stalled (still failing: tests)'],
  ['blocked', 'failed (tests)', '✗ blocked: failed (tests)'],
  ['notAsked', 'the agent ended without it', '? no verdict: the agent ended without it'],
  ['passed', '', '✓ passed'],
  ['lost', 'its process is gone', 'lost: its process is gone'],
  ['budget_exhausted', 'budget_exhausted', 'budget exhausted'],
  ['completed', '', 'completed'],
])('describes %s by "%s"', (ending, reason, words) => {
  expect(describeOutcome(ending, reason)).toBe(words);
});
