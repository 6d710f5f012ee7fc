/** The only source of time. Tests inject a fake one, so nothing in a test waits for a real second. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` after `ms`, unless what it gives back is called first. One that has no way of its own sleeps. */
  after?(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
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

/** Calls `act` after `ms`, unless what is returned was called first. */
export function callAfter(clock: Clock, ms: number, act: () => void): () => void {
  if (clock.after) return clock.after(ms, act);
  const calledOff = new AbortController();
  void clock.sleep(ms, calledOff.signal).then(() => {
    if (!calledOff.signal.aborted) act();
  });
  return () => calledOff.abort();
}
