/** After a reply's last word the connection is read to its end, so that it can be used again; but not for long. */
const DRAIN_MS = 250;

/**
 * Ends one request when its caller aborts, when nothing has come for too long, or when its reader walks away.
 * Ending it closes the connection: nothing is left running behind a reply that nobody reads.
 */
export class StreamGuard {
  readonly #callerSignal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #stop = () => this.#end();
  #timer: NodeJS.Timeout;
  #cancel: (() => Promise<void>) | undefined;
  #timedOut = false;

  constructor(callerSignal: AbortSignal, idleMs: number) {
    this.#callerSignal = callerSignal;
    this.#timer = setTimeout(() => this.#expire(), idleMs);
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

  /** Something came. */
  touch(): void {
    this.#timer.refresh();
  }

  /** The reply is complete; only the connection's end is awaited. */
  drain(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#expire(), DRAIN_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#callerSignal.removeEventListener('abort', this.#stop);
    this.#end();
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
