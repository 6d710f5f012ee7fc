import type { SlotOrder } from '../../schemas/slotProcess.ts';

/** A slot that runs in this process. */
export interface RunningSlot {
  /** Its exit code, as if it were a process of its own; never rejects. */
  readonly ended: Promise<number>;
  /** Aborts what a first SIGTERM would. */
  drain(): void;
  /** Kills its agent, as a second SIGTERM would; it then settles its task and ends. */
  end(): void;
  /** The same, and it starts no process again, not even to keep its work. */
  drop(): void;
}

interface SlotBoardOptions {
  readonly most: number;
  readonly startSlot: (slot: string, incarnation: number) => RunningSlot;
  /** Called with all slots after each change, before the change is answered; throws when it cannot be recorded. */
  readonly record: (slots: Readonly<Record<string, number>>) => void;
}

interface Held {
  readonly incarnation: number;
  readonly running: RunningSlot;
  readonly ended: PromiseWithResolvers<number | null>;
}

export type SlotStart =
  | { readonly type: 'started'; readonly ended: Promise<number | null> }
  | { readonly type: 'refused'; readonly reason: string };

/**
 * The slots of one process. A slot that ends, fails or is dropped leaves the others alone. Over when the last one has ended: a later
 * start is refused, and its coordinator starts another process.
 */
export class SlotBoard {
  readonly #options: SlotBoardOptions;
  readonly #slots = new Map<string, Held>();
  readonly #over = Promise.withResolvers<void>();
  #isOver = false;

  constructor(options: SlotBoardOptions) {
    this.#options = options;
  }

  /** Resolves when the last slot has ended. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get size(): number {
    return this.#slots.size;
  }

  start(slot: string, incarnation: number): SlotStart {
    const why = this.#whyNot(slot);
    if (why !== null) return { type: 'refused', reason: why };
    try {
      this.#options.record({ ...this.#incarnations(), [slot]: incarnation });
    } catch (error) {
      return { type: 'refused', reason: `its start cannot be recorded: ${(error as Error).message}` };
    }
    const running = this.#options.startSlot(slot, incarnation);
    const held: Held = { incarnation, running, ended: Promise.withResolvers() };
    this.#slots.set(slot, held);
    void running.ended.then((code) => this.#remove(slot, held, code));
    return { type: 'started', ended: held.ended.promise };
  }

  /** False when it has no such slot. */
  obey(order: Exclude<SlotOrder['order'], 'start'>, slot: string, incarnation: number): boolean {
    const held = this.#slots.get(slot);
    if (held?.incarnation !== incarnation) return false;
    held.running[order]();
    // the store refuses what is left of it once its task is taken back
    if (order === 'drop') this.#remove(slot, held, null);
    return true;
  }

  drainAll(): void {
    for (const { running } of this.#slots.values()) running.drain();
    this.close();
  }

  /** No more starts; over when it is empty. */
  close(): void {
    this.#isOver = true;
    if (this.#slots.size === 0) this.#over.resolve();
  }

  #whyNot(slot: string): string | null {
    if (this.#isOver) return 'this process is ending';
    if (this.#slots.has(slot)) return `the slot ${slot} already runs in this process`;
    return this.#slots.size >= this.#options.most ? `this process already runs ${this.#options.most} slots` : null;
  }

  #incarnations(): Record<string, number> {
    return Object.fromEntries([...this.#slots].map(([slot, { incarnation }]) => [slot, incarnation]));
  }

  #remove(slot: string, held: Held, code: number | null): void {
    if (this.#slots.get(slot) !== held) return;
    this.#slots.delete(slot);
    // the last one stays on record until the process is gone: who waits for the slot waits for the process
    if (this.#slots.size > 0) this.#recordQuietly();
    else this.close();
    held.ended.resolve(code);
  }

  /** A slot that stays on record is taken for running: its coordinator then ends it by its silence. */
  #recordQuietly(): void {
    try {
      this.#options.record(this.#incarnations());
    } catch {
      // a full disk must not end the other slots
    }
  }
}
