import { type BigIntStats, lstatSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { attempt } from '../system/attempt.ts';
import { readSealedFileSync, sealedText } from '../system/sealedFile.ts';
import { absolutePath } from './quotedPath.ts';

/**
 * What the last walk through a worktree found besides tracked files, and the folders with tracked files as they were then. A
 * folder's change time moves when an entry is added, removed or renamed, and no program can set it; so while no folder was
 * touched, another walk would find the same, and takes a third of a `git status`. Sealed: an edited record is not used.
 */
export interface WalkRecord {
  /** The paths that the last walk found; undefined when a walk may find others. Call it before a walk. */
  known(): Promise<readonly string[] | undefined>;
  /** Keeps what a walk found that began after `known()`. */
  keep(found: readonly string[]): void;
}

export interface WalkPlace {
  /** The folder of all our records. */
  readonly home: string;
  readonly indexFile: string;
  readonly topLevel: string;
  /** The file system's time. */
  readonly now: Date;
}

export const walkFile = (indexFile: string): string => `${indexFile}.walk`;

/** File systems on which every change of a folder moves its change time. On any other one, all folders are walked. */
const TRUE_TIMES: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1],
  // overlayfs, of containers
  0x794c7630,
]);

/** Change times are coarse: two changes in one step of the clock look like one. */
const SETTLED_NS = 1_000_000_000n;
const MAX_FOLDERS = 20_000;
const FOLDERS_IN_A_ROW = 512;
/** Differs from everything. */
const UNKNOWN = '-';

export function openWalkRecord({ home, indexFile, topLevel, now }: WalkPlace): WalkRecord {
  const file = walkFile(indexFile);
  let before: Map<string, string> | undefined;
  return {
    async known() {
      const record = isReliable(topLevel) ? readRecord(home, file) : undefined;
      if (record === undefined) return undefined;
      const marks = await marksOf(record.folders.keys(), topLevel, now);
      const isSame = [...marks].every(([folder, mark]) => mark !== UNKNOWN && record.folders.get(folder) === mark);
      if (isSame) return record.found;
      before = marks;
      return undefined;
    },
    keep(found) {
      if (before !== undefined) writeRecord(home, file, { folders: before, found });
    },
  };
}

interface Recorded {
  /** A mark for each folder, by quoted path. */
  readonly folders: ReadonlyMap<string, string>;
  readonly found: readonly string[];
}

/** For the folders of a new index, which no walk has seen yet. */
export function startWalkRecord(home: string, indexFile: string, folders: Iterable<string>): void {
  const unknown = new Map([...folders].map((folder) => [folder, UNKNOWN]));
  if (unknown.size <= MAX_FOLDERS) writeRecord(home, walkFile(indexFile), { folders: unknown, found: [] });
}

/** The folders of tracked files, and the top; paths are quoted. */
export class TrackedFolders {
  readonly paths = new Set(['']);

  add(file: string): void {
    for (let folder = folderOf(file); !this.paths.has(folder); folder = folderOf(folder)) this.paths.add(folder);
  }
}

function folderOf(quoted: string): string {
  const above = quoted.slice(0, Math.max(0, quoted.lastIndexOf('/')));
  return above !== '' && quoted.startsWith('"') ? `${above}"` : above;
}

const isReliable = (topLevel: string): boolean => attempt(() => TRUE_TIMES.has(statfsSync(topLevel).type), false);

async function marksOf(folders: Iterable<string>, topLevel: string, now: Date): Promise<Map<string, string>> {
  const latest = BigInt(now.getTime()) * 1_000_000n - SETTLED_NS;
  const device = lstatSync(topLevel, { bigint: true }).dev;
  const marks = new Map<string, string>();
  for (const folder of folders) {
    if (marks.size % FOLDERS_IN_A_ROW === 0) await setImmediate();
    const entry = entryAt(absolutePath(topLevel, folder));
    const isKnown = entry === undefined || (entry !== 'unreadable' && entry.dev === device && entry.ctimeNs < latest);
    marks.set(folder, isKnown ? (entry === undefined ? 'gone' : `${entry.ino} ${entry.ctimeNs}`) : UNKNOWN);
  }
  return marks;
}

/** Undefined when nothing is there, which the folder above shows too. */
function entryAt(folder: Buffer): BigIntStats | 'unreadable' | undefined {
  try {
    return lstatSync(folder, { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'unreadable';
  }
}

/** Lines, because quoted paths have neither newlines nor tabs: folders with their marks, an empty line, what was found. */
function writeRecord(home: string, file: string, { folders, found }: Recorded): void {
  const text = [...[...folders].map(([folder, mark]) => `${mark}\t${folder}`), '', ...found].join('\n');
  const beside = `${file}.${process.pid}`;
  try {
    // without a sync: a torn record has no seal, and costs one walk
    writeFileSync(beside, sealedText(home, file, text), { mode: 0o600 });
    renameSync(beside, file);
  } catch {
    rmSync(beside, { force: true });
  }
}

function readRecord(home: string, file: string): Recorded | undefined {
  const read = readSealedFileSync(home, file);
  if (read.type !== 'sealed') return undefined;
  const lines = read.text.split('\n');
  const end = lines.indexOf('');
  const folders = lines.slice(0, end).map((line): [string, string] => {
    const tab = line.indexOf('\t');
    return [line.slice(tab + 1), line.slice(0, tab)];
  });
  return { folders: new Map(folders), found: lines.slice(end + 1) };
}
