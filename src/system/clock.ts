import { bootId, sinceBootMs } from './machineBoot.ts';

/**
 * The only source of time; tests inject a fake one. `now` is for deadlines and durations; times for people, files or other
 * machines come from `wallNow`.
 */
export interface Clock {
  /** Milliseconds since the epoch; setting the machine's clock does not change them. */
  now(): number;
  /** The machine's clock; default: `now`. */
  wall?(): number;
  /** Time that all processes of this machine share and that cannot be set; null where the system does not provide it. */
  sinceBoot?(): TimeSinceBoot | null;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** See `callAfter`; default: by way of `sleep`. */
  after?(ms: number, act: () => void): () => void;
}

interface TimeSinceBoot {
  /** Of this boot of the machine. */
  readonly id: string;
  /** Including sleep. Coarse. */
  ms(): number;
  /** Fast; only for differences within one process. */
  monotonicMs(): number;
}

/** Not `performance`: it loads perf_hooks, which takes a tenth of a bare start. By index: destructuring makes an iterator. */
function monotonicMs(): number {
  const time = process.hrtime();
  return time[0] * 1e3 + time[1] / 1e6;
}

function sinceBoot(): TimeSinceBoot | null {
  const id = bootId();
  return id === null ? null : { id, ms: sinceBootMs, monotonicMs };
}

let steadyNow: (() => number) | undefined;

export const systemClock: Clock = {
  now: () => {
    steadyNow ??= steadyTime({ wall: () => Date.now(), monotonic: monotonicMs, sinceBoot: sinceBootMs });
    return steadyNow();
  },
  wall: () => Date.now(),
  sinceBoot,
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
  // most are canceled, and a timer costs a fifth of a promise with a signal
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** For a process that reads the time once and ends. */
export const onceClock: Pick<Clock, 'now' | 'sinceBoot'> = { now: () => Date.now(), sinceBoot };

/** Calls `act` after `ms`, unless the returned function is called first. */
export function callAfter(clock: Clock, ms: number, act: () => void): () => void {
  if (clock.after) return clock.after(ms, act);
  const canceled = new AbortController();
  void clock.sleep(ms, canceled.signal).then(() => {
    if (!canceled.signal.aborted) act();
  });
  return () => canceled.abort();
}

/** Polls, because there is no event for it; false when it still holds after that time. */
export async function endsWithin(clock: Clock, ms: number, holds: () => boolean, pollMs = 20): Promise<boolean> {
  const until = clock.now() + ms;
  while (holds()) {
    if (clock.now() >= until) return false;
    await clock.sleep(pollMs);
  }
  return true;
}

/** Repeats an act until it is disposed of, which waits for the last one. */
export function repeatEvery(clock: Clock, ms: number, act: () => unknown): AsyncDisposable {
  const over = new AbortController();
  const repeating = (async () => {
    while (!over.signal.aborted) {
      await clock.sleep(ms, over.signal);
      if (!over.signal.aborted) await act();
    }
  })();
  return {
    [Symbol.asyncDispose]: () => {
      over.abort('it is over');
      return repeating;
    },
  };
}

/** The time for people, files and other machines. */
export const wallNow = (clock: Pick<Clock, 'now' | 'wall'>): number => clock.wall?.() ?? clock.now();

/** Injected, so that a test can set the machine's clock and suspend the machine. */
export interface TimeSources {
  /** Milliseconds since the epoch by the machine's clock, which can be set. */
  readonly wall: () => number;
  /** Only increases, but stops while the machine sleeps. */
  readonly monotonic: () => number;
  /** Milliseconds since boot, including sleep. Coarse, and slower to read than the others. */
  readonly sinceBoot: () => number;
}

/** Two clocks are read one after the other, so smaller differences mean nothing. */
const DRIFT_MS = 1_000;

/**
 * Milliseconds since the epoch that setting the machine's clock does not change: the wall time at the start plus the time
 * since, including sleep.
 */
export function steadyTime({ wall, monotonic, sinceBoot }: TimeSources): () => number {
  const startedAt = monotonic();
  let origin = wall() - startedAt;
  let seen = origin;
  let asleepMs = sinceBoot() - startedAt;
  return () => {
    const elapsed = monotonic();
    const apart = wall() - elapsed;
    if (Math.abs(apart - seen) > DRIFT_MS) {
      seen = apart;
      const asleepNow = sinceBoot() - elapsed;
      if (asleepNow - asleepMs > DRIFT_MS) {
        origin += asleepNow - asleepMs;
        asleepMs = asleepNow;
      }
    }
    return Math.floor(origin + elapsed);
  };
}
