import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readFile, readlink } from 'node:fs/promises';

/** How much may still be read; spent as it goes. */
export interface Budget {
  readonly fileBytes: number;
  bytes: number;
  files: number;
}

interface InHead {
  readonly mode: string;
  readonly object: string;
}

/** What a file is now, as a short text; undefined when that is exactly what HEAD has. */
export async function fileState(
  path: Buffer,
  { budget, inHead }: { readonly budget: Budget; readonly inHead: InHead | undefined },
): Promise<string | undefined> {
  const entry = await lstat(path, { bigint: true }).catch(() => undefined);
  if (!entry) return 'gone';
  const mode = gitMode(entry);
  const content = await readContent(path, entry, budget);
  if (content === undefined) return `${mode} ${entry.size} ${entry.mtimeNs} ${entry.ino}`;
  // a repository names its objects by SHA-1 or by SHA-256, and the length of a name tells
  const algorithm = inHead?.object.length === 64 ? 'sha256' : 'sha1';
  const object = createHash(algorithm).update(`blob ${content.length}\0`).update(content).digest('hex');
  return inHead?.object === object && inHead.mode === mode ? undefined : `${mode} ${object}`;
}

/** The only differences in mode that git knows. */
function gitMode(entry: BigIntStats): string {
  if (entry.isSymbolicLink()) return '120000';
  if (!entry.isFile()) return 'special';
  return entry.mode & 0o100n ? '100755' : '100644';
}

async function readContent(path: Buffer, entry: BigIntStats, budget: Budget): Promise<Buffer | undefined> {
  const size = Number(entry.size);
  // opening a named pipe would wait for a writer
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  if (size > budget.fileBytes || size > budget.bytes || budget.files <= 0) return undefined;
  budget.bytes -= size;
  budget.files--;
  const read = entry.isSymbolicLink() ? readlink(path, { encoding: 'buffer' }) : readFile(path);
  return read.catch(() => undefined);
}
