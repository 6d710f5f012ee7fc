import { bootId, sinceBootMs } from './machineBoot.ts';
import { steadyTime } from './steadyTime.ts';

/**
 * The only source of time. Tests inject a fake one, so nothing in a test waits for a real second. `now` is for deadlines and
 * durations; a time that is written down for people, files or other machines is a `wallNow`.
 */
export interface Clock {
  /** Milliseconds since the epoch that only pass: setting the machine's clock does not move them. */
  now(): number;
  /** What the machine's clock says. A clock without one shows `now`. */
  wall?(): number;
  /** Time that all processes of this machine share and that cannot be set; null where the system does not tell. */
  sinceBoot?(): TimeSinceBoot | null;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` after `ms`, unless what it gives back is called first. One that has no way of its own sleeps. */
  after?(ms: number, act: () => void): () => void;
}

interface TimeSinceBoot {
  /** Of this start of the machine. */
  readonly id: string;
  /** With the time that the machine slept. Coarse. */
  ms(): number;
  /** Only for differences within one process, and cheap. */
  monotonicMs(): number;
}

/** Not `performance`: the first use of it loads perf_hooks, a tenth of a bare start. */
function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
let sinceBoot: TimeSinceBoot | null | undefined;

function sinceBootOnce(): TimeSinceBoot | null {
  if (sinceBoot === undefined) {
    const id = bootId();
    sinceBoot = id === null ? null : { id, ms: sinceBootMs, monotonicMs };
  }
  return sinceBoot;
}

let steadyNow: (() => number) | undefined;

export const systemClock: Clock = {
  now: () => {
    steadyNow ??= steadyTime({ wall: () => Date.now(), monotonic: monotonicMs, sinceBoot: sinceBootMs });
    return steadyNow();
  },
  wall: () => Date.now(),
  sinceBoot: sinceBootOnce,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const over = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', over);
        resolve();
      };
      const timer = setTimeout(over, ms);
      signal?.addEventListener('abort', over, { once: true });
    }),
  // most are called off, and a timer alone costs a fifth of a promise that a signal settles
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** For a process that reads the time once and ends: nothing to load, and no start to measure from. */
export const onceClock: Pick<Clock, 'now' | 'sinceBoot'> = { now: () => Date.now(), sinceBoot: sinceBootOnce };

/** Calls `act` after `ms`, unless what is returned was called first. */
export function callAfter(clock: Clock, ms: number, act: () => void): () => void {
  if (clock.after) return clock.after(ms, act);
  const calledOff = new AbortController();
  void clock.sleep(ms, calledOff.signal).then(() => {
    if (!calledOff.signal.aborted) act();
  });
  return () => calledOff.abort();
}

/** The time that people, files and other machines go by. */
export const wallNow = (clock: Pick<Clock, 'now' | 'wall'>): number => clock.wall?.() ?? clock.now();
