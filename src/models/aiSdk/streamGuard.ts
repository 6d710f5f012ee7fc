/** After a reply's last word the connection is read to its end, so that it can be used again; but not for long. */
const DRAIN_MS = 250;

/** How long a server may send nothing: until the reply begins, and between its pieces. */
export interface SilenceLimits {
  readonly firstMs: number;
  readonly idleMs: number;
}

/**
 * Ends one request when its caller aborts, when nothing has come for too long, or when its reader walks away.
 * Ending it closes the connection: nothing is left running behind a reply that nobody reads.
 */
export class StreamGuard {
  readonly #callerSignal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #stop = () => this.#end();
  readonly #limits: SilenceLimits;
  #hasBegun = false;
  #timer: NodeJS.Timeout;
  #cancel: (() => Promise<void>) | undefined;
  #timedOut = false;

  constructor(callerSignal: AbortSignal, limits: SilenceLimits) {
    this.#callerSignal = callerSignal;
    this.#limits = limits;
    this.#timer = setTimeout(() => this.#expire(), limits.firstMs);
    callerSignal.addEventListener('abort', this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#callerSignal.aborted;
  }

  get timedOut(): boolean {
    return this.#timedOut;
  }

  /** From now on, ending the request also cancels this reader, whose pending read then says that it is done. */
  watch(reader: ReadableStreamDefaultReader<unknown>): void {
    this.#cancel = () => reader.cancel();
  }

  /** Whether it was the beginning of the reply that did not come. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Something came. */
  touch(): void {
    if (this.#hasBegun || this.#limits.firstMs === this.#limits.idleMs) this.#timer.refresh();
    else this.#restart(this.#limits.idleMs);
    this.#hasBegun = true;
  }

  /** The reply is complete; only the connection's end is awaited. */
  drain(): void {
    this.#restart(DRAIN_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#callerSignal.removeEventListener('abort', this.#stop);
    this.#end();
  }

  #restart(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire(), ms);
  }

  #expire(): void {
    this.#timedOut = true;
    this.#end();
  }

  #end(): void {
    this.#controller.abort();
    // Rejects when the abort was there first; either way the stream is over.
    this.#cancel?.().catch(() => {});
  }
}
