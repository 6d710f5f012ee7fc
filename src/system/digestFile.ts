import { createHash } from 'node:crypto';
import { readSync, type Stats } from 'node:fs';
import { withOpenFile } from './readTextFile.ts';

const CHUNK_BYTES = 256 * 1024;

/** The SHA-256 of a regular file of any size, read in parts; null for anything else, and for one that cannot be read. */
export function digestFileSync(file: string): { readonly digest: string; readonly facts: Stats } | null {
  const read = withOpenFile(file, (descriptor, facts) => {
    const hash = createHash('sha256');
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(facts.size, 1024) + 1));
    for (let count = readSync(descriptor, chunk); count > 0; count = readSync(descriptor, chunk)) {
      hash.update(chunk.subarray(0, count));
    }
    return { digest: hash.digest('hex'), facts };
  });
  return 'digest' in read ? read : null;
}
