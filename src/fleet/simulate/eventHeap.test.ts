import { expect, it } from 'vitest';
import { seededRandom } from './chance.ts';
import { EventHeap } from './eventHeap.ts';

it('returns events by time, simultaneous ones in the order they were planned', () => {
  const random = seededRandom(3);
  const heap = new EventHeap();
  const planned = Array.from({ length: 5_000 }, (_unused, subject) => ({ at: Math.floor(random() * 100), subject }));
  for (const { at, subject } of planned) heap.push(at, subject % 10, subject, subject + 1);
  const taken = [];
  for (let event = heap.pop(); event !== null; event = heap.pop()) taken.push({ ...event });
  const expected = planned
    .toSorted((one, other) => one.at - other.at || one.subject - other.subject)
    .map(({ at, subject }) => ({ at, subject, kind: subject % 10, version: subject + 1 }));
  expect(taken).toEqual(expected);
  expect(heap.size).toBe(0);
});

it('takes events while it gives others', () => {
  const random = seededRandom(4);
  const heap = new EventHeap();
  let now = 0;
  for (let round = 0; round < 10_000; round += 1) {
    if (random() < 0.6) heap.push(now + Math.floor(random() * 50), 0);
    const event = random() < 0.5 ? heap.pop() : null;
    expect(event?.at ?? now).toBeGreaterThanOrEqual(now);
    now = event?.at ?? now;
  }
});
