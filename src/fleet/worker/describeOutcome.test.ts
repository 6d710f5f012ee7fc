import { expect, it } from 'vitest';
import { describeOutcome } from './describeOutcome.ts';

const task = { id: 'k3v9', failures: 0, maxFailures: 3, lastError: null };

it.each([
  [{ state: 'done' }, 'task k3v9 is done'],
  [{ state: 'verifying' }, 'task k3v9 is completed and waits for its verification'],
  [{ state: 'queued' }, 'task k3v9 is queued again'],
  [{ state: 'queued', failures: 2 }, 'task k3v9 is queued again; it failed 2 of 3 times'],
  [
    { state: 'dead', lastError: 'it exited with code 3.\noh no' },
    'task k3v9 is dead: it exited with code 3; `stopgate task retry k3v9` queues it again',
  ],
  [{ state: 'cancelled' }, 'task k3v9 is cancelled'],
  [{ state: 'claimed' }, null],
] as const)('%o: %s', (more, sentence) => {
  expect(describeOutcome({ ...task, ...more })).toBe(sentence);
});
