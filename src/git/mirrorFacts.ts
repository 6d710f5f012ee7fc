import { open, readFile } from 'node:fs/promises';
import { mirrorFacts } from '../schemas/mirrorFacts.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';

/** What a mirror's index cannot hold about the files that it records as read; paths are quoted. */
export interface MirrorFacts {
  readonly submodules: readonly string[];
  /** Tracked symbolic links. */
  readonly links: readonly string[];
  /** Permissions of recorded files, where they are not the usual ones. */
  readonly modes: Readonly<Record<string, number>>;
}

const factsFile = (indexFile: string) => `${indexFile}.facts`;

/** The files that belong to an index. */
export const filesOf = (indexFile: string): readonly string[] => [indexFile, factsFile(indexFile)];

/** Written before its index gets its name; the seal tells whether both belong together. Rejects as `node:fs` does. */
export async function writeFacts(indexFile: string, madeIndex: string, facts: MirrorFacts): Promise<void> {
  await writeFileAtomically(factsFile(indexFile), JSON.stringify({ ...facts, seal: await sealOf(madeIndex) }));
}

/** Undefined when they are missing, torn, or of another index: then nothing is known of the files. */
export async function readFacts(indexFile: string): Promise<MirrorFacts | undefined> {
  try {
    const [text, seal] = await Promise.all([readFile(factsFile(indexFile), 'utf8'), sealOf(indexFile)]);
    const facts = mirrorFacts.parse(JSON.parse(text));
    return facts.seal === seal ? facts : undefined;
  } catch {
    return undefined;
  }
}

const SEAL_BYTES = 20;

/** An index ends with a checksum of itself. */
async function sealOf(indexFile: string): Promise<string> {
  await using file = await open(indexFile, 'r');
  const { size } = await file.stat();
  const bytes = Buffer.alloc(SEAL_BYTES);
  await file.read(bytes, 0, SEAL_BYTES, Math.max(0, size - SEAL_BYTES));
  return bytes.toString('hex');
}

/** What a checkout gives a file, whatever it is for; anything else has to be remembered. */
export const isUsual = (permissions: number): boolean => permissions === 0o644 || permissions === 0o755;
