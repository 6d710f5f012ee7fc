import { expect, it } from 'vitest';
import { TaskQueue } from './taskQueue.ts';

it('keeps the order while tasks come and go', () => {
  const queue = new TaskQueue();
  const taken: (number | undefined)[] = [];
  for (let number = 0; number < 5_000; number += 1) {
    queue.push({ number, addedAt: 0, attempts: 0, failures: 0, reclaims: 0, doneMs: 0 });
    if (number % 3 === 0) taken.push(queue.shift()?.number);
  }
  while (queue.length > 0) taken.push(queue.shift()?.number);
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_unused, number) => number));
});
