import { open } from 'node:fs/promises';
import { readJsonFile } from '../schemas/jsonFile.ts';
import { type MirrorFacts, mirrorFacts } from '../schemas/mirrorFacts.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';

const factsFile = (indexFile: string) => `${indexFile}.facts`;

/** The files that belong to an index. */
export const filesOf = (indexFile: string): readonly string[] => [indexFile, factsFile(indexFile)];

/** Written before the index gets its final name; the seal ties the two together. Rejects as `node:fs` does. */
export async function writeFacts(indexFile: string, madeIndex: string, facts: MirrorFacts): Promise<void> {
  await writeFileAtomically(factsFile(indexFile), JSON.stringify({ ...facts, seal: await sealOf(madeIndex) }));
}

/** Undefined when they are missing, torn, or of another index. */
export async function readFacts(indexFile: string): Promise<MirrorFacts | undefined> {
  const sealed = sealOf(indexFile).catch(() => undefined);
  const [facts, seal] = await Promise.all([readJsonFile(factsFile(indexFile), mirrorFacts), sealed]);
  return facts?.seal === seal ? facts : undefined;
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

/** The permissions that a checkout sets; others have to be recorded. */
export const isUsual = (permissions: number): boolean => permissions === 0o644 || permissions === 0o755;
