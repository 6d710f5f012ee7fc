import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

const CHUNK_BYTES = 256 * 1024;

/** The SHA-256 of a regular file of any size, read in parts; null for anything else, and for one that cannot be read. */
export function digestFileSync(file: string): { readonly digest: string; readonly facts: Stats } | null {
  let descriptor: number | undefined;
  try {
    // non-blocking: opening a named pipe would wait forever
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) return null;
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(facts.size, 1024) + 1));
    for (let count = readSync(descriptor, chunk); count > 0; count = readSync(descriptor, chunk)) {
      hash.update(chunk.subarray(0, count));
    }
    return { digest: hash.digest('hex'), facts };
  } catch {
    return null;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
