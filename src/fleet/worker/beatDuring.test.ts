import { expect, it } from 'vitest';
import type { Store } from '../../store/types.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { beatDuring } from './beatDuring.ts';

const BEATS = { clock: fakeClock(), workerId: 'w', incarnation: 1, lease: undefined };

/** A store whose heartbeats are answered as given. */
const storeWith = (heartbeat: () => Promise<unknown>) => ({ heartbeat }) as unknown as Store;

it.each([
  ['hangs', () => new Promise<never>(() => {})],
  ['fails by a bug', () => Promise.reject(new Error('a bug'))],
])('returns the result of the work although a heartbeat %s', async (_how, answer) => {
  const clock = fakeClock();
  const { promise, resolve } = Promise.withResolvers<string>();
  let sent = 0;
  const heartbeat = () => {
    sent++;
    return answer();
  };
  const during = beatDuring(promise, { ...BEATS, clock, store: storeWith(heartbeat) });
  await clock.advance(20_000);
  resolve('the result');
  expect([await during, sent]).toEqual(['the result', 1]);
});
