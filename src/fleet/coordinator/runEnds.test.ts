import { describe, expect, it } from 'vitest';
import { endingOf, runEnds } from './runEnds.ts';

describe('how starts ended', () => {
  it.each([
    ['idle', 'idle'],
    ['rateLimited', 'rateLimited'],
    ['launchFailed', 'launchFailed'],
    ['exited', 'crashed'],
    ['lapsed', 'crashed'],
    ['its process is gone', 'crashed'],
    ['No task arrived for 10m, so this worker may stop.', 'idle'],
    ['This worker is drained, so it may stop.', 'drained'],
    ['another worker has the slot', 'clean'],
    ['', 'clean'],
  ])('%s is %s', (result, ending) => {
    expect(endingOf(result)).toBe(ending);
  });

  it('groups ended launches by slot, in the order given', () => {
    const launch = { slot: 'a', incarnation: 2, requestedAt: 10, startedAt: 11, endedAt: 12, result: 'crashed' };
    const before = { ...launch, incarnation: 1, startedAt: null, result: 'launchFailed' };
    const running = { ...launch, incarnation: 3, endedAt: null };
    expect(runEnds([running, launch, before], (_slot, incarnation) => (incarnation === 2 ? false : undefined))).toEqual(
      new Map([
        [
          'a',
          [
            { slot: 'a', startedAt: 11, endedAt: 12, ending: 'crashed', madeProgress: false },
            { slot: 'a', startedAt: 10, endedAt: 12, ending: 'launchFailed', madeProgress: true },
          ],
        ],
      ]),
    );
  });
});
