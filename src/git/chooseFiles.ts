import { type LeftOut, readableSize } from './leftOut.ts';
import { shownPath } from './quotedPath.ts';

/** How much that git does not know yet a snapshot takes in. What is tracked is always kept, whatever its size. */
export interface SnapshotLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
}

export const DEFAULT_LIMITS: SnapshotLimits = { fileBytes: 50_000_000, totalBytes: 500_000_000, files: 100_000 };

export interface UntrackedFile {
  readonly path: string;
  readonly bytes: number;
}

/** Past this many names a list helps nobody. */
const MAX_NAMED = 50;

/**
 * Which untracked files are kept. Small ones first: what a person or a model wrote is small, what fills a limit is
 * mostly made by a program that can make it again.
 *
 * There is no list of secret names: a `.env` that nobody ignored is work too, the snapshot is a ref that no push
 * takes along, and a file that silently is not there is what a safety net must not have.
 */
export function chooseFiles(
  files: readonly UntrackedFile[],
  limits: SnapshotLimits,
): { readonly kept: readonly string[]; readonly leftOut: readonly LeftOut[] } {
  const kept: string[] = [];
  const leftOut: LeftOut[] = [];
  let total = 0;
  for (const { path, bytes } of files.toSorted((a, b) => a.bytes - b.bytes)) {
    const reason = whyLeftOut(bytes, total, limits);
    if (reason === undefined) {
      kept.push(path);
      total += bytes;
    } else leftOut.push({ path: shownPath(path), reason: `${readableSize(bytes)}, ${reason}` });
  }
  return { kept, leftOut: named(leftOut) };
}

function whyLeftOut(bytes: number, total: number, { fileBytes, totalBytes }: SnapshotLimits): string | undefined {
  if (bytes > fileBytes) return `over ${readableSize(fileBytes)} for one untracked file`;
  if (total + bytes > totalBytes) return `over ${readableSize(totalBytes)} for all untracked files together`;
  return undefined;
}

function named(all: readonly LeftOut[]): readonly LeftOut[] {
  if (all.length <= MAX_NAMED) return all;
  const rest = all.length - MAX_NAMED;
  // the largest are the last, and the ones to be told of
  return [...all.slice(-MAX_NAMED), { path: `${rest} more files`, reason: 'over the same limits' }];
}
