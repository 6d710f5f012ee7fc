import { formatDuration } from '../../system/formatDuration.ts';

/** After the reply, the connection is read to its end for this long, so that it can be reused. */
const DRAIN_MS = 250;
const DEFAULT_STREAM_IDLE_MS = 5 * 60_000;

export interface SilenceLimits {
  /** A stream that sends nothing for this long has failed. */
  readonly idleMs?: number | undefined;
  /** The limit until the reply begins; `idleMs` by default. */
  readonly firstMs?: number | undefined;
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
  #hasBegun = false;
  timedOut = false;
  #timer: NodeJS.Timeout | undefined;
  #cancel: (() => Promise<void>) | undefined;

  constructor(callerSignal: AbortSignal, limits: SilenceLimits) {
    this.#callerSignal = callerSignal;
    this.#limits = limits;
    this.#expireAfter(this.#limit.ms);
    callerSignal.addEventListener('abort', this.#stop, { once: true });
  }

  get #limit(): { readonly ms: number; readonly variable: string } {
    const { idleMs = DEFAULT_STREAM_IDLE_MS, firstMs } = this.#limits;
    return this.#hasBegun || firstMs === undefined
      ? { ms: idleMs, variable: 'STOPGATE_STREAM_IDLE_MS' }
      : { ms: firstMs, variable: 'API_TIMEOUT_MS' };
  }

  /** What happened, when `timedOut`. */
  get silence(): string {
    const { ms, variable } = this.#limit;
    return `the model sent nothing for ${formatDuration(ms)} (${variable} sets this limit)`;
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
    this.#hasBegun = true;
    this.#expireAfter(this.#limit.ms);
  }

  /** The reply is complete; only the end of the connection is awaited. */
  drain(): void {
    this.#expireAfter(DRAIN_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#callerSignal.removeEventListener('abort', this.#stop);
    this.#end();
  }

  #expireAfter(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      this.#end();
    }, ms);
  }

  #end(): void {
    this.#controller.abort();
    // rejects when the stream was already aborted; either way it is over
    this.#cancel?.().catch(() => {});
  }
}
