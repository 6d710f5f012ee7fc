/** After the reply, the connection is read to its end for this long, so that it can be reused. */
const DRAIN_MS = 250;

/** How long a server may send nothing: until the reply begins, and between its pieces. */
export interface SilenceLimits {
  readonly firstMs: number;
  readonly idleMs: number;
}

/**
 * Ends one request when its caller aborts, when the server is silent for too long, or when its reader stops early.
 * Ending it closes the connection, so nothing keeps running for a reply without a reader.
 */
export class StreamGuard {
  readonly #callerSignal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #stop = () => this.#end();
  readonly #limits: SilenceLimits;
  /** Whether anything of the reply has arrived. */
  hasBegun = false;
  timedOut = false;
  #timer: NodeJS.Timeout;
  #cancel: (() => Promise<void>) | undefined;

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

  /** From now on, ending the request also cancels this reader, whose pending read then returns `done`. */
  watch(reader: ReadableStreamDefaultReader<unknown>): void {
    this.#cancel = () => reader.cancel();
  }

  /** Called for each piece that arrives. */
  touch(): void {
    if (this.hasBegun || this.#limits.firstMs === this.#limits.idleMs) this.#timer.refresh();
    else this.#restart(this.#limits.idleMs);
    this.hasBegun = true;
  }

  /** The reply is complete; only the end of the connection is awaited. */
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
    this.timedOut = true;
    this.#end();
  }

  #end(): void {
    this.#controller.abort();
    // rejects when the stream was already aborted; either way it is over
    this.#cancel?.().catch(() => {});
  }
}
