import { SIGNAL_EXIT } from '../../../system/interrupts.ts';

/** What ends a session besides the person: signals, a terminal that is gone, a bug. */
export interface Endings extends Disposable {
  /** Rejects with an exception that nothing caught. */
  readonly crashed: Promise<never>;
  /** The exit code of the signal that ended the session; undefined when none did. */
  exitCode(): number | undefined;
}

const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP'];

/**
 * Listens until it is disposed of. `leave` ends the session in order; a second signal does not wait for that. `readsLines`: the end
 * of the input is a person's ctrl+d, and not a terminal that is gone.
 */
export function listenForEndings(leave: () => void, readsLines: boolean): Endings {
  const { promise: crashed, reject } = Promise.withResolvers<never>();
  crashed.catch(() => {});
  let code: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (code !== undefined) process.exit(code);
    code = SIGNAL_EXIT[signal] ?? 1;
    leave();
  };
  /** Nothing can be read or shown any more, and no signal reported it. */
  const onClosed = () => {
    code ??= SIGNAL_EXIT.SIGHUP ?? 1;
    leave();
  };
  const { stdin, stdout } = process;
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', reject);
  stdin.on('end', readsLines ? leave : onClosed).on('error', onClosed);
  stdout.on('error', onClosed);
  return {
    crashed,
    exitCode: () => code,
    [Symbol.dispose]: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
      process.off('uncaughtException', reject);
      stdin.off('end', onClosed).off('end', leave);
      // the listeners for errors stay: the terminal may still go while the last lines are written
    },
  };
}
