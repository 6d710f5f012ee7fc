import { ownValue } from './ownValue.ts';
/**
 * The first Ctrl-C ends the turn cleanly, the second ends the process immediately. SIGTERM and SIGHUP end the turn cleanly
 * as well.
 */
export interface Interrupts extends Disposable {
  readonly signal: AbortSignal;
  /** The signal that ended the turn, if one did. */
  received(): NodeJS.Signals | undefined;
  /** The exit code that reports this signal. */
  exitCode(): number | undefined;
  /** Ends the turn for another reason, such as a closed output. */
  abort(): void;
}

export const SIGNAL_EXIT: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export interface InterruptOptions {
  /** Signals for another program: a program in the foreground of our terminal receives Ctrl-C itself. */
  readonly ignore?: readonly NodeJS.Signals[];
  /** What an interrupt ends, for the message. */
  readonly what?: string;
}

export function listenForInterrupts(
  onSecond: (signal: NodeJS.Signals) => void = (signal) => process.exit(ownValue(SIGNAL_EXIT, signal)),
  print: (text: string) => void = () => {},
  { ignore = [], what = 'the turn' }: InterruptOptions = {},
): Interrupts {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  const listener = (signal: NodeJS.Signals) => {
    if (ignore.includes(signal)) return;
    if (received) return onSecond(signal);
    received = signal;
    if (signal === 'SIGINT') print(`Interrupted: ending ${what}. Press Ctrl-C again to quit immediately.`);
    controller.abort();
  };
  const signals = Object.keys(SIGNAL_EXIT) as NodeJS.Signals[];
  for (const signal of signals) process.on(signal, listener);
  return {
    signal: controller.signal,
    received: () => received,
    exitCode: () => received && (ownValue(SIGNAL_EXIT, received) ?? 1),
    abort: () => controller.abort(),
    [Symbol.dispose]: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}
