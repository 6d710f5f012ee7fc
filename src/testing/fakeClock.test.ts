import { describe, expect, it } from 'vitest';
import { fakeClock } from './fakeClock.ts';

describe('fakeClock', () => {
  it('wakes sleepers in the order of their times, at their times', async () => {
    const clock = fakeClock(1_000);
    const woken: [string, number][] = [];
    const sleep = async (name: string, ms: number) => {
      await clock.sleep(ms);
      woken.push([name, clock.now()]);
    };
    void sleep('late', 30);
    void sleep('early', 10).then(() => sleep('after early', 5));
    await clock.advance(29);
    expect(woken).toEqual([
      ['early', 1_010],
      ['after early', 1_015],
    ]);
    expect(clock.pending()).toBe(1);
    await clock.advance(1);
    expect(woken.at(-1)).toEqual(['late', 1_030]);
  });

  it('ends a sleep that is aborted', async () => {
    const clock = fakeClock();
    const controller = new AbortController();
    const asleep = clock.sleep(1_000, controller.signal);
    controller.abort();
    await asleep;
    await clock.sleep(1_000, controller.signal);
    expect(clock.pending()).toBe(0);
    expect(clock.now()).toBe(0);
  });
});
