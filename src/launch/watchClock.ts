import { remainingInWords } from '../budget/timeBudget.ts';
import { type Clock, wallNow } from '../system/clock.ts';
import type { Writer } from '../system/writer.ts';
import type { LaunchRecord } from './launchRecord.ts';

export interface ClockWatchFacts {
  readonly clock: Clock;
  /** By `clock.now()`. */
  readonly endAt: number;
  readonly record: Pick<LaunchRecord, 'setEnd'>;
  readonly quiet: boolean;
  readonly writer: Pick<Writer, 'err'>;
}

export interface ClockWatch extends AsyncDisposable {
  /** One sentence per change. */
  readonly notes: readonly string[];
  look(): void;
}

const LOOK_EVERY_MS = 1_000;
/** Time servers correct by less; no one reads a deadline that closely. */
const SET_MS = 2_000;

/**
 * Notices that the machine's clock is set while an agent runs. The budget does not follow it, so the time of day at which the budget
 * ends is another one from then on.
 */
export function watchClock({ clock, endAt, record, quiet, writer }: ClockWatchFacts): ClockWatch {
  const notes: string[] = [];
  let before = wallNow(clock) - clock.now();
  const look = () => {
    const ahead = wallNow(clock) - clock.now();
    if (Math.abs(ahead - before) < SET_MS) return;
    const sentence = `the machine's clock was set ${spanOf(ahead - before)}; the time left is unchanged, the budget now ends at ${timeOfDay(endAt + ahead)}`;
    before = ahead;
    notes.push(sentence);
    record.setEnd(endAt + ahead);
    if (!quiet) writer.err(`stopgate: ${sentence}.\n`);
  };
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      await clock.sleep(LOOK_EVERY_MS, over.signal);
      look();
    }
  })();
  return {
    notes,
    look,
    [Symbol.asyncDispose]: async () => {
      over.abort('the agent is gone');
      await looking;
    },
  };
}

const spanOf = (ms: number) => `${ms < 0 ? 'back' : 'forward'} by ${remainingInWords(Math.round(Math.abs(ms) / 1000))}`;
const timeOfDay = (at: number) => new Date(at).toTimeString().slice(0, 8);
