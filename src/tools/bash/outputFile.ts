import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';

/** A background command that prints without end must not fill the disk. */
const MAX_BYTES = 64 * 1024 * 1024;

export interface OutputFile {
  write(text: string): void;
  close(): Promise<void>;
}

const NO_FILE: OutputFile = { write: () => {}, close: async () => {} };

/** Keeps what a background command prints. A disk that takes no more ends the file, not the command. */
export function openOutputFile(file: string | undefined): OutputFile {
  if (file === undefined) return NO_FILE;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  } catch {
    return NO_FILE;
  }
  const stream = createWriteStream(file, { mode: 0o600 });
  let failed = false;
  stream.on('error', () => {
    failed = true;
  });
  let bytes = 0;
  return {
    write(text) {
      if (failed || bytes > MAX_BYTES) return;
      bytes += Buffer.byteLength(text);
      stream.write(bytes > MAX_BYTES ? `\n[The rest is not kept: the output is larger than 64 MB.]\n` : text);
    },
    close: () => new Promise((resolve) => (failed ? resolve() : stream.end(() => resolve()))),
  };
}
