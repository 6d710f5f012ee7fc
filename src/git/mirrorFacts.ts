import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { type MirrorFacts, mirrorFacts } from '../schemas/mirrorFacts.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';
import { walkFile } from './walkRecord.ts';

const factsFile = (indexFile: string) => `${indexFile}.facts`;

/** The files that belong to an index. */
export const filesOf = (indexFile: string): readonly string[] => [indexFile, factsFile(indexFile), walkFile(indexFile)];

/** Written before the index gets its final name; the seal ties the two together. Rejects as `node:fs` does. */
export async function writeFacts(indexFile: string, madeIndex: string, facts: MirrorFacts): Promise<void> {
  await writeFileAtomically(factsFile(indexFile), JSON.stringify({ ...facts, seal: sealOf(madeIndex) }));
}

/** Undefined when they are missing, torn, or of another index. */
export function readFacts(indexFile: string): MirrorFacts | undefined {
  try {
    const facts = mirrorFacts.parse(JSON.parse(readFileSync(factsFile(indexFile), 'utf8')));
    return facts.seal === sealOf(indexFile) ? facts : undefined;
  } catch {
    return undefined;
  }
}

const SEAL_BYTES = 20;

/** An index ends with a checksum of itself. */
function sealOf(indexFile: string): string {
  const file = openSync(indexFile, 'r');
  try {
    const bytes = Buffer.alloc(SEAL_BYTES);
    readSync(file, bytes, 0, SEAL_BYTES, Math.max(0, fstatSync(file).size - SEAL_BYTES));
    return bytes.toString('hex');
  } finally {
    closeSync(file);
  }
}

/** The permissions that a checkout sets; others have to be recorded. */
export const isUsual = (permissions: number): boolean => permissions === 0o644 || permissions === 0o755;
