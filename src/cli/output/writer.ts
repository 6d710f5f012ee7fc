/** Where output goes; `isTerminal` decides on colours and live lines. */
export interface Writer {
  out(text: string): void;
  err(text: string): void;
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly columns: number;
}

/**
 * The process's own streams. A reader that goes away (`| head`) is not an error: `onClosed` ends the turn, since
 * nobody would see the rest.
 */
export function processWriter(onClosed: () => void): Writer {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    onClosed();
  });
  process.stderr.on('error', () => {});
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    columns: process.stderr.columns ?? process.stdout.columns ?? 80,
  };
}

/** Resolves when all that was written has left the process; an exit before that would cut a pipe's last bytes. */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => process.stderr.write('', () => resolve()));
  });
}
