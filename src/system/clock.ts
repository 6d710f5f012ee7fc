/** The only source of time. Tests inject a fake one, so nothing in a test waits for a real second. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
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
};
