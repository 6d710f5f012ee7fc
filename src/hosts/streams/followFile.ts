import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LineSplitter } from '../../git/lineSplitter.ts';

const CHUNK_BYTES = 256 * 1024;

/** Reads what was appended to a file of lines since the last call. A file that is not there yet has none. */
export function followFile(file: string, from: number, onLine: (line: string) => void): () => void {
  let at = from;
  const decoder = new TextDecoder();
  const lines = new LineSplitter(onLine);
  return () => {
    const open = opened(file);
    if (open === null) return;
    try {
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      for (;;) {
        const count = readSync(open, buffer, 0, CHUNK_BYTES, at);
        if (count === 0) return;
        at += count;
        lines.push(decoder.decode(buffer.subarray(0, count), { stream: true }));
      }
    } catch {
      // it is gone: what was counted stays
    } finally {
      closeSync(open);
    }
  };
}

function opened(file: string): number | null {
  try {
    const open = openSync(file, 'r');
    if (fstatSync(open).isFile()) return open;
    closeSync(open);
  } catch {
    // it is not there
  }
  return null;
}
