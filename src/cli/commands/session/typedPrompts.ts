import type { PromptInbox } from '../../../query/prompt/runSession.ts';

/** `steer`: for the running turn, at its next step; `queue`: a prompt of its own, after it. */
export type TypedFor = 'steer' | 'queue';

export interface TypedPrompt {
  readonly text: string;
  readonly for: TypedFor;
}

/** What a person typed and no turn has taken yet. What steers too late is the next prompt. */
export class TypedPrompts implements PromptInbox {
  #waiting: readonly TypedPrompt[] = [];
  #taken: readonly string[] = [];
  #isOpen = true;
  readonly #begun = Promise.withResolvers<void>();
  #changed = Promise.withResolvers<void>();
  readonly #onChange: () => void;

  constructor(onChange: () => void = () => {}) {
    this.#onChange = onChange;
  }

  get waiting(): readonly TypedPrompt[] {
    return this.#waiting;
  }

  /** What is in no transcript yet, in the order it was typed: it would be lost with the process. */
  get unsaved(): readonly string[] {
    return [...this.#taken, ...this.#waiting.map(({ text }) => text)];
  }

  /** What a turn took is in the transcript now, or was refused. */
  saved(): void {
    if (this.#taken.length === 0) return;
    this.#taken = [];
    this.#onChange();
  }

  add(text: string, use: TypedFor): void {
    this.#set([...this.#waiting, { text, for: use }]);
  }

  /** Takes the last one back, to edit it. */
  takeBack(): string | undefined {
    const last = this.#waiting.at(-1);
    if (last !== undefined) this.#set(this.#waiting.slice(0, -1));
    return last?.text;
  }

  takeSteering(): readonly string[] {
    const steering = this.#waiting.filter((one) => one.for === 'steer').map(({ text }) => text);
    if (steering.length > 0) {
      this.#taken = [...this.#taken, ...steering];
      this.#set(this.#waiting.filter((one) => one.for !== 'steer'));
    }
    return steering;
  }

  /** Resolves when the session has begun: then it looks for its first prompt. */
  get begun(): Promise<void> {
    return this.#begun.promise;
  }

  isWaiting = (): boolean => {
    this.#begun.resolve();
    return this.#waiting.length > 0;
  };
  isOpen = (): boolean => this.#isOpen;
  arrival = (): Promise<void> =>
    this.#waiting.length > 0 || !this.#isOpen ? Promise.resolve() : this.#changed.promise;

  async next(signal?: AbortSignal): Promise<string | undefined> {
    const aborted = Promise.withResolvers<void>();
    signal?.addEventListener('abort', () => aborted.resolve(), { once: true });
    while (this.#waiting.length === 0 && this.#isOpen && signal?.aborted !== true) {
      await Promise.race([this.#changed.promise, aborted.promise]);
    }
    const [first, ...rest] = this.#waiting;
    if (first === undefined || signal?.aborted) return undefined;
    this.#taken = [...this.#taken, first.text];
    this.#set(rest);
    return first.text;
  }

  close(): void {
    this.#isOpen = false;
    this.#notify();
  }

  #set(waiting: readonly TypedPrompt[]): void {
    this.#waiting = waiting;
    this.#notify();
    this.#onChange();
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}
