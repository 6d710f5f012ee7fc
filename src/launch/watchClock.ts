import { type Clock, repeatEvery, wallNow } from '../system/clock.ts';
import { formatSeconds } from '../system/formatDuration.ts';
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

const CHECK_EVERY_MS = 1_000;
/** Time servers correct by less. */
const SET_MS = 2_000;

/**
 * Notices when the machine's clock is set while an agent runs. The budget does not follow it, so it ends at another time of
 * day.
 */
export function watchClock({ clock, endAt, record, quiet, writer }: ClockWatchFacts) {
  /** One sentence per change. */
  const notes: string[] = [];
  let before = wallNow(clock) - clock.now();
  const check = () => {
    const ahead = wallNow(clock) - clock.now();
    if (Math.abs(ahead - before) < SET_MS) return;
    const sentence = `the machine's clock was set ${spanOf(ahead - before)}; the time left is unchanged, the budget now ends at ${timeOfDay(endAt + ahead)}`;
    before = ahead;
    notes.push(sentence);
    record.setEnd(endAt + ahead);
    if (!quiet) writer.err(`stopgate: ${sentence}.\n`);
  };
  return { notes, check, ...repeatEvery(clock, CHECK_EVERY_MS, check) };
}

const spanOf = (ms: number) => `${ms < 0 ? 'back' : 'forward'} by ${formatSeconds(Math.abs(ms))}`;
const timeOfDay = (at: number) => new Date(at).toTimeString().slice(0, 8);
