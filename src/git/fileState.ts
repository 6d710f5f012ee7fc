import { type BigIntStats, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { attempt } from '../system/attempt.ts';
import { objectId } from './conversions/checkedOut.ts';
import type { TreeEntry } from './treeDiff.ts';

/** How much may still be read. */
export interface Budget {
  readonly fileBytes: number;
  bytes: number;
  files: number;
}

export interface FileState {
  /** As a short text; undefined when that is exactly what HEAD has. */
  readonly state: string | undefined;
  /** Undefined for anything but a file. */
  readonly permissions: number | undefined;
}

/** Synchronous, because a new worktree is read whole: 50,000 files take half a second, and six with promises. */
export function fileState(
  path: Buffer,
  { budget, inHead }: { readonly budget: Budget; readonly inHead: TreeEntry | undefined },
): FileState {
  const entry = entryAt(path);
  if (!entry) return { state: 'gone', permissions: undefined };
  const permissions = entry.isFile() ? Number(entry.mode & 0o7777n) : undefined;
  const mode = gitMode(entry);
  const content = readContent(path, entry, budget);
  // a program can set all times but the change time, which a write through a shared mapping moves late
  if (content === undefined) {
    return { state: `${mode} ${entry.size} ${entry.mtimeNs} ${entry.ctimeNs} ${entry.ino}`, permissions };
  }
  const object = objectId(content, inHead?.object ?? '');
  const isAsHead = inHead?.object === object && inHead.mode === mode;
  return { state: isAsHead ? undefined : `${mode} ${object}`, permissions };
}

/** Undefined also in a folder that may not be entered. */
const entryAt = (path: Buffer): BigIntStats | undefined =>
  attempt(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }), undefined);

/** The only differences in mode that git knows. */
function gitMode(entry: BigIntStats): string {
  if (entry.isSymbolicLink()) return '120000';
  if (!entry.isFile()) return 'special';
  return entry.mode & 0o100n ? '100755' : '100644';
}

function readContent(path: Buffer, entry: BigIntStats, budget: Budget): Buffer | undefined {
  const size = Number(entry.size);
  // opening a named pipe would wait for a writer
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  if (size > budget.fileBytes || size > budget.bytes || budget.files <= 0) return undefined;
  budget.bytes -= size;
  budget.files--;
  const read = () => (entry.isSymbolicLink() ? readlinkSync(path, { encoding: 'buffer' }) : readFileSync(path));
  return attempt(read, undefined);
}
