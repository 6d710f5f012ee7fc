import { terminalText } from './terminalText.ts';

/** Output; `…IsTerminal` decides on colors and live lines. */
export interface Writer {
  /** For people: text from outside cannot control the terminal, see `terminalText.ts`. */
  out(text: string): void;
  err(text: string): void;
  /** For programs: every byte as it is. */
  readonly raw: { out(text: string): void; err(text: string): void };
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  readonly columns: number;
}

/**
 * The process's own streams. `onClosed` is called when stdout can no longer be written: without a message when the reader
 * is gone (`| head`), with one for any other error, such as a full disk.
 */
export function processWriter(onClosed: (failure?: string) => void): Writer {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    onClosed(code === 'EPIPE' ? undefined : `The output cannot be written: ${message}.`);
  });
  process.stderr.on('error', () => {});
  return {
    out: (text) => void process.stdout.write(terminalText(text)),
    err: (text) => void process.stderr.write(terminalText(text)),
    raw: {
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
    },
    outIsTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    // a pseudo-terminal whose size was never set has 0
    columns: process.stderr.columns || process.stdout.columns || 80,
  };
}

/** Also gives `keep` what passes, after it is written. */
export function keptToo(writer: Writer, keep: (text: string) => void): Writer {
  const both = (write: (text: string) => void) => (text: string) => {
    write(text);
    keep(text);
  };
  return { ...writer, out: both(writer.out), err: both(writer.err) };
}

/** Also writes whole lines after other output, which may end in the middle of one. */
export interface LineWriter extends Writer {
  line(text: string): void;
}

export function endingLines(writer: Writer): LineWriter {
  let isOpen = false;
  const noting = (write: (text: string) => void) => (text: string) => {
    if (text !== '') isOpen = !text.endsWith('\n');
    write(text);
  };
  const out = noting(writer.out);
  const raw = { ...writer.raw, out: noting(writer.raw.out) };
  return { ...writer, out, raw, line: (text) => out(`${isOpen ? '\n' : ''}${text}\n`) };
}

/** Resolves when all output has left the process; an earlier exit would lose the last bytes of a pipe. */
export function drained(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write('', () => process.stderr.write('', () => resolve()));
  });
}
