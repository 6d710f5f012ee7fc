import type { Outcome, Store, WaitForWorkOutcome, WaitForWorkRequest } from '../../store/types.ts';
import { type Clock, callAfter } from '../../system/clock.ts';

/** How long one shared wait lasts; it ends earlier when no slot waits. */
const TOGETHER_MS = 60_000;
/** After some were woken: they claim first, then the next ones are. */
const CLAIM_MS = 250;
/** Those whose wait ends within this time end it with the first: their heartbeats then are one write of the store. */
const TOGETHER_WITHIN_MS = 5_000;

type What = Pick<WaitForWorkRequest, 'queue' | 'types'>;
interface Waiter {
  readonly endAt: number;
  settle(outcome: WaitForWorkOutcome): void;
}

/**
 * The slots of one process wait for tasks together: one wait in the store for all that wait for the same tasks. Of a hundred that
 * wait, one task wakes one: the longest waiting first.
 */
export function shareWaits(store: Store, clock: Clock): Store {
  const groups = new Map<string, WaitingGroup>();
  return {
    ...store,
    waitForWork: ({ timeoutMs, signal, ...what }) => {
      const key = JSON.stringify([what.queue, what.types]);
      const group = groups.get(key) ?? new WaitingGroup(store, clock, what);
      groups.set(key, group);
      return group.join(timeoutMs, signal);
    },
  };
}

class WaitingGroup {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #what: What;
  /** The longest waiting first. */
  readonly #waiting = new Set<Waiter>();
  #unneeded = new AbortController();
  #isRunning = false;

  constructor(store: Store, clock: Clock, what: What) {
    this.#store = store;
    this.#clock = clock;
    this.#what = what;
  }

  join(timeoutMs: number, signal: AbortSignal | undefined): Promise<WaitForWorkOutcome> {
    if (signal?.aborted) return Promise.resolve({ type: 'aborted' });
    const { promise, resolve } = Promise.withResolvers<WaitForWorkOutcome>();
    const endAt = this.#clock.now() + timeoutMs;
    const settle = (outcome: WaitForWorkOutcome) => {
      cancel();
      signal?.removeEventListener('abort', abort);
      this.#waiting.delete(waiter);
      if (this.#waiting.size === 0) this.#unneeded.abort();
      resolve(outcome);
    };
    const waiter: Waiter = { endAt, settle };
    const abort = () => settle({ type: 'aborted' });
    const cancel = callAfter(this.#clock, timeoutMs, () => this.#timeOut(endAt + TOGETHER_WITHIN_MS));
    signal?.addEventListener('abort', abort, { once: true });
    this.#waiting.add(waiter);
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      this.#unneeded = new AbortController();
      const { signal } = this.#unneeded;
      const outcome = await this.#store.waitForWork({ ...this.#what, timeoutMs: TOGETHER_MS, signal });
      if (outcome.type === 'unavailable') this.#wake(this.#waiting.size, outcome);
      if (outcome.type !== 'ready') continue;
      const found = await this.#store.readiness(this.#what);
      this.#wake(countOf(found), outcome);
      if (this.#waiting.size > 0) await this.#clock.sleep(CLAIM_MS, this.#unneeded.signal);
    }
    this.#isRunning = false;
  }

  #timeOut(until: number): void {
    for (const { endAt, settle } of [...this.#waiting]) if (endAt <= until) settle({ type: 'timedOut' });
  }

  #wake(count: number, outcome: WaitForWorkOutcome): void {
    for (const { settle } of [...this.#waiting].slice(0, count)) settle(outcome);
  }
}

/** At least one: others may have taken the task meanwhile, which it finds out itself. */
const countOf = (found: Outcome<'readiness'>): number => (found.type === 'readiness' ? Math.max(1, found.ready) : 1);
