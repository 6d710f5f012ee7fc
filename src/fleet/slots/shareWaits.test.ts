import { describe, expect, it } from 'vitest';
import type { Store, WaitForWorkOutcome, WaitForWorkRequest } from '../../store/types.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { shareWaits } from './shareWaits.ts';

/** A store whose waits end when the test says so. */
function waiting({ ready = 1 } = {}) {
  const clock = fakeClock();
  const waits: { readonly request: WaitForWorkRequest; readonly end: (outcome: WaitForWorkOutcome) => void }[] = [];
  const store = {
    waitForWork: (request: WaitForWorkRequest) => {
      const { promise, resolve } = Promise.withResolvers<WaitForWorkOutcome>();
      request.signal?.addEventListener('abort', () => resolve({ type: 'aborted' }));
      waits.push({ request, end: resolve });
      return promise;
    },
    readiness: async () => ({ type: 'readiness', ready }),
  } as unknown as Store;
  const shared = shareWaits(store, clock);
  const outcomes: string[] = [];
  const wait = (name: string, request: Partial<WaitForWorkRequest> = {}) =>
    void shared
      .waitForWork({ timeoutMs: 15_000, ...request })
      .then(({ type }) => void outcomes.push(`${name} ${type}`));
  return { clock, waits, outcomes, wait };
}

describe('slots that wait together', () => {
  it('are one wait in the store, for each queue and types', async () => {
    const { clock, waits, wait } = waiting();
    for (const name of ['a', 'b', 'c']) wait(name);
    wait('d', { queue: 'other' });
    wait('e', { types: ['x'] });
    await clock.advance(0);
    expect(waits.map(({ request: { queue, types } }) => [queue, types])).toEqual([
      [undefined, undefined],
      ['other', undefined],
      [undefined, ['x']],
    ]);
  });

  it('wake as many as tasks are ready, the longest waiting first, and the others later', async () => {
    const { clock, waits, outcomes, wait } = waiting({ ready: 2 });
    for (const name of ['a', 'b', 'c']) wait(name);
    waits[0]?.end({ type: 'ready' });
    await clock.advance(0);
    expect(outcomes).toEqual(['a ready', 'b ready']);
    await clock.advance(250);
    expect(waits).toHaveLength(2);
    waits[1]?.end({ type: 'ready' });
    await clock.advance(0);
    expect(outcomes.at(-1)).toBe('c ready');
  });

  it('time out together if their times are close, and the wait ends with the last one', async () => {
    const { clock, waits, outcomes, wait } = waiting();
    wait('a');
    await clock.advance(4_000);
    wait('b');
    await clock.advance(7_000);
    wait('c');
    await clock.advance(4_000);
    expect(outcomes).toEqual(['a timedOut', 'b timedOut']);
    expect(waits[0]?.request.signal?.aborted).toBe(false);
    await clock.advance(11_000);
    expect(outcomes).toEqual(['a timedOut', 'b timedOut', 'c timedOut']);
    expect(waits[0]?.request.signal?.aborted).toBe(true);
  });

  it('end alone when they are aborted', async () => {
    const { clock, outcomes, wait } = waiting();
    const over = new AbortController();
    wait('a', { signal: over.signal });
    wait('b');
    over.abort();
    wait('c', { signal: over.signal });
    await clock.advance(0);
    expect(outcomes).toEqual(['a aborted', 'c aborted']);
  });

  it('all learn that the store does not answer, and wait again afterwards', async () => {
    const { clock, waits, outcomes, wait } = waiting();
    wait('a');
    wait('b');
    waits[0]?.end({ type: 'unavailable', cause: 'unreachable', reason: 'away' });
    await clock.advance(0);
    expect(outcomes).toEqual(['a unavailable', 'b unavailable']);
    wait('a');
    await clock.advance(0);
    expect(waits).toHaveLength(2);
  });
});
