import { expect, it } from 'vitest';
import { seededRandom } from './chance.ts';
import { EventHeap } from './eventHeap.ts';

it('returns events by time, simultaneous ones in the order they were planned', () => {
  const random = seededRandom(3);
  const heap = new EventHeap();
  const planned = Array.from({ length: 5_000 }, (_unused, version) => {
    return { at: Math.floor(random() * 100), kind: 'tick', version } as const;
  });
  for (const event of planned) heap.push(event);
  const taken = [];
  for (let event = heap.pop(); event !== null; event = heap.pop()) taken.push(event);
  expect(taken).toEqual(planned.toSorted((one, other) => one.at - other.at || one.version - other.version));
});

it('takes events while it gives others', () => {
  const random = seededRandom(4);
  const heap = new EventHeap();
  let now = 0;
  for (let round = 0; round < 10_000; round += 1) {
    if (random() < 0.6) heap.push({ at: now + Math.floor(random() * 50), kind: 'tick' });
    const event = random() < 0.5 ? heap.pop() : null;
    expect(event?.at ?? now).toBeGreaterThanOrEqual(now);
    now = event?.at ?? now;
  }
});
