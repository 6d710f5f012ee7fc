import { expect, it } from 'vitest';
import type { ListedWorker } from './gatherWorkers.ts';
import { decideWait, type WaitGoal } from './waitDecision.ts';

const NONE = {
  ready: 0,
  delayed: 0,
  blocked: 0,
  held: 0,
  claimed: 0,
  verifying: 0,
  done: 0,
  dead: 0,
  cancelled: 0,
  nextDueAt: null,
};

const workers = (...statuses: ListedWorker['shownStatus'][]) =>
  statuses.map((shownStatus, index) => ({ id: `w${index}`, shownStatus }) as ListedWorker);

it.each<[WaitGoal, ListedWorker['shownStatus'][], Partial<typeof NONE>, string]>([
  ['idle', [], {}, 'reached'],
  ['idle', ['idle', 'paused', 'gone'], {}, 'reached'],
  ['idle', ['idle', 'busy'], {}, 'waiting'],
  ['idle', ['launching'], {}, 'waiting'],
  ['gone', ['gone'], {}, 'reached'],
  ['gone', ['idle'], {}, 'waiting'],
  ['tasksDone', ['busy'], { done: 3 }, 'reached'],
  // dead before the wait began
  ['tasksDone', ['busy'], { done: 3, dead: 1 }, 'reachedBadly'],
  ['tasksDone', [], { dead: 2 }, 'reachedBadly'],
  ['tasksDone', [], { delayed: 1 }, 'waiting'],
  ['tasksDone', [], { held: 1 }, 'waiting'],
])('%s with %j and %j is %s', (goal, statuses, counts, expected) => {
  const facts = { workers: workers(...statuses), counts: { ...NONE, ...counts }, deadBefore: 1, full: [] };
  expect(decideWait(goal, facts).type).toBe(expected);
});

const FULL = [{ queue: 'q', limit: 2, waiting: 2 }];

it.each([
  [
    { ready: 1 },
    '1 task to end (queue q: 2 attempts wait for review, and the limit is 2; no task is claimed until a person decides (stopgate review))',
  ],
  [{ ready: 1, claimed: 1 }, '2 tasks to end'],
  [{ delayed: 1 }, '1 task to end'],
])('with %j and a full queue it waits for %s', (counts, expected) => {
  const facts = { workers: [], counts: { ...NONE, ...counts }, deadBefore: 0, full: FULL };
  expect(decideWait('tasksDone', facts)).toEqual({ type: 'waiting', for: expected });
});
