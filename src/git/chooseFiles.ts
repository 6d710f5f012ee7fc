import type { InspectedFile } from './inspectFiles.ts';
import { type LeftOut, readableSize } from './leftOut.ts';
import { shownPath } from './quotedPath.ts';

/** How much of the untracked files a snapshot keeps. Tracked files are always kept. */
export interface SnapshotLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
}

export const DEFAULT_LIMITS: SnapshotLimits = { fileBytes: 50_000_000, totalBytes: 500_000_000, files: 100_000 };

const MAX_NAMED = 50;

/**
 * Which untracked files are kept. Small ones first: people and models write small files, and large ones were mostly
 * generated. Secret files such as `.env` are kept too, because no push includes the ref of a snapshot.
 */
export function chooseFiles(
  files: readonly Pick<InspectedFile, 'path' | 'bytes'>[],
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
  // the largest are last
  const more = { path: `${all.length - MAX_NAMED} more files`, reason: 'over the same limits' };
  return [...all.slice(-MAX_NAMED), more];
}
