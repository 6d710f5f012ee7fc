import { describe, expect, it } from 'vitest';
// @ts-expect-error plain modules that also run by themselves
import { typeIntoFlood } from '../../bench/terminal/flood.mjs';
// @ts-expect-error plain modules that also run by themselves
import { percentile } from '../../bench/terminal/typing.mjs';

/** 1 is all of it: 5,000 messages, 50 MB of output, a command that prints for 20s, an answer of 5 MB. */
const SIZE = Number(process.env.STOPGATE_FLOOD ?? '0.05');
const ECHO_MS = 30;
/** A process that has done the same with a tenth of it needs half of this. */
const MEMORY_MB = 600;

describe('a session that is flooded', { timeout: 20_000 + 1_200_000 * SIZE }, () => {
  it.each(['endless', 'answer', 'turns'])(
    '(%s) echoes keys, draws only what is alive, and stays small',
    async (name) => {
      const { times, after, frames, cleared, outside, calls } = await typeIntoFlood(name, SIZE);
      // of the processor, since the tests share the machine. A run of this size has a dozen keys, some of which meet a collection
      // of garbage; `npm run bench -- terminal` has enough of them for a percentile of 99. An answer that is drawn anew for each
      // piece took 700 ms here
      expect(percentile(times.processor, 0.5)).toBeLessThan(ECHO_MS);
      expect(percentile(times.processor, 1)).toBeLessThan(20 * ECHO_MS);
      expect(times.processor.length).toBeGreaterThan(3);
      expect(frames).toBeGreaterThan(10);
      expect({ cleared, outside }).toEqual({ cleared: 0, outside: 0 });
      expect(after.peak).toBeLessThan(MEMORY_MB);
      expect(calls).toBe({ endless: 1, answer: 0, turns: Math.ceil(2_500 * SIZE) }[name]);
    },
  );
});
