/**
 * Ctrl-C once ends the turn cleanly; a second time ends the process at once. SIGTERM and SIGHUP end the turn as well:
 * whoever sends them expects the work to be put down, not dropped.
 */
export interface Interrupts extends Disposable {
  readonly signal: AbortSignal;
  /** The signal that ended the turn, if one did. */
  received(): NodeJS.Signals | undefined;
  /** Ends the turn for another reason: nobody reads the output any more. */
  abort(): void;
}

export const SIGNAL_EXIT: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export interface InterruptOptions {
  /** Signals that are for another program: a program in the foreground of our terminal gets Ctrl-C itself. */
  readonly ignore?: readonly NodeJS.Signals[];
  /** What an interrupt ends, for the message. */
  readonly what?: string;
}

export function listenForInterrupts(
  onceMore: (signal: NodeJS.Signals) => void,
  told: (text: string) => void,
  { ignore = [], what = 'the turn' }: InterruptOptions = {},
): Interrupts {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const listener = (signal: NodeJS.Signals) => {
    if (ignore.includes(signal)) return;
    if (received) return onceMore(signal);
    received = signal;
    if (signal === 'SIGINT') told(`Interrupted: ending ${what}. Press Ctrl-C again to quit immediately.`);
    controller.abort();
  };
  const signals = Object.keys(SIGNAL_EXIT) as NodeJS.Signals[];
  for (const signal of signals) process.on(signal, listener);
  return {
    signal: controller.signal,
    received: () => received,
    abort: () => controller.abort(),
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}
