import { hash } from 'node:crypto';
import { closeSync, constants, fsyncSync, lstatSync, openSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { changedScripts, type PackageScript, scriptsIn } from '../../session/runFiles/packageScripts.ts';
import { findRunFiles } from '../../session/runFiles/runFiles.ts';
import { attempt } from '../../system/attempt.ts';
import { readByteFileSync } from '../../system/readTextFile.ts';
import { realPath } from '../../system/realPath.ts';
import type { DefinitionOfDone } from '../checks/types.ts';
import type { ProtectedStart } from './protectedFiles.ts';

/** One script as it was: what runs at a stop, whatever the file contains by then. */
interface FrozenFile {
  /** Absolute; links not followed. */
  readonly path: string;
  /** Where it really was. */
  readonly real: string;
  readonly mode: number;
  /** Base64. */
  readonly content: string;
}

/**
 * A definition of done as it was when a session began: the configuration, the scripts that its checks run, and the state of
 * the protected files. Kept outside the repository; at a stop this decides, not what the agent made of it.
 */
export interface Frozen {
  readonly frozenAt: string;
  /** The configuration. */
  readonly file: string;
  readonly text: string;
  /** The real path of the repository, or of the folder without one. */
  readonly topLevel: string;
  readonly files: readonly FrozenFile[];
  /** Files that did not exist, and that a check would run or obey if they did. */
  readonly absent: readonly string[];
  /** Files that runners obey without being told, with what they were: not put back, only named when they change. */
  readonly obeyed: readonly (readonly [path: string, content: string])[];
  readonly packageScripts: readonly PackageScript[];
  /** Null when nothing is protected. */
  readonly protectedStart: ProtectedStart | null;
}

const LARGEST_FILE = 1_000_000;

export interface FreezeFacts {
  readonly done: DefinitionOfDone;
  readonly text: string;
  readonly topLevel: string;
  /** Files that git ignores are built, not written. */
  readonly isIgnored: (files: readonly string[]) => Promise<ReadonlySet<string>>;
}

export async function freezeScripts({
  done,
  text,
  topLevel,
  isIgnored,
}: FreezeFacts): Promise<Omit<Frozen, 'frozenAt' | 'protectedStart'>> {
  // by real paths: a host may name the project by a link
  const checks = done.checks.map((check) => ({ ...check, cwd: realPath(check.cwd) }));
  const { scripts, packageScripts, absent, obeyed } = findRunFiles(checks, topLevel);
  const folder = realPath(path.dirname(done.file));
  const isEditable = done.editable.length === 0 ? () => false : picomatch([...done.editable], { dot: true });
  const isFrozen = (file: string) => !isEditable(path.relative(folder, file));
  const wanted = scripts.filter(isFrozen);
  const missing = absent.filter(isFrozen);
  const ignored = await isIgnored([...wanted, ...missing]);
  const files = wanted.filter((file) => !ignored.has(file)).flatMap((file) => frozenFile(file) ?? []);
  return {
    ...{ file: done.file, text, topLevel, files },
    absent: missing.filter((file) => !ignored.has(file)),
    obeyed: obeyed.filter(isFrozen).map((one) => [one, contentOf(one)] as const),
    packageScripts: packageScripts.filter((one) => isFrozen(one.file)),
  };
}

/** A digest; empty for a file that is not there. */
function contentOf(file: string): string {
  const read = readByteFileSync(file, LARGEST_FILE);
  return read.type === 'read' ? hash('sha256', read.bytes) : '';
}

/** The files that runners obey and that are not as they were. */
export const obeyedChanges = (frozen: Frozen): readonly FrozenChange[] =>
  frozen.obeyed.flatMap(([file, before]) => {
    const now = contentOf(file);
    if (now === before) return [];
    return [
      { what: shownFrom(frozen, file), how: now === '' ? 'deleted' : before === '' ? 'created' : 'edited' } as const,
    ];
  });

function frozenFile(file: string): FrozenFile | undefined {
  const read = readByteFileSync(file, LARGEST_FILE);
  if (read.type !== 'read' || read.cut) return undefined;
  return { path: file, real: realPath(file), mode: read.facts.mode & 0o777, content: read.bytes.toString('base64') };
}

/** A difference between a frozen definition and the files as they are now. */
export interface FrozenChange {
  /** For people, from the folder of the configuration: `scripts/check.sh`, `script "test" of package.json`. */
  readonly what: string;
  readonly how:
    | 'edited'
    | 'created'
    | 'deleted'
    | 'moved by a link'
    | 'made executable or not'
    | 'changed during the checks';
}

/** The scripts that are not as they were. */
export function scriptChanges(frozen: Frozen): readonly FrozenChange[] {
  const { files, packageScripts, absent } = frozen;
  const shown = (one: string) => shownFrom(frozen, one);
  const ofFiles = files.flatMap((one) => {
    const how = howChanged(one);
    return how === null ? [] : [{ what: shown(one.path), how }];
  });
  const ofPackages = [...Map.groupBy(packageScripts, (one) => one.file)].flatMap(([manifest, frozenScripts]) => {
    const now = scriptsIn(manifest);
    return changedScripts(manifest, frozenScripts).map((name): FrozenChange => {
      const how = Object.hasOwn(now, name) ? 'edited' : 'deleted';
      return { what: `script "${name}" of ${shown(manifest)}`, how };
    });
  });
  const created = absent.filter(isThere).map((one): FrozenChange => ({ what: shown(one), how: 'created' }));
  return [...ofFiles, ...ofPackages, ...created];
}

const shownFrom = ({ file }: Frozen, one: string) =>
  path.relative(realPath(path.dirname(file)), one) || path.basename(one);

/** The scripts that were written to since `before`, by the change time, which no program can set. */
export function touchedSince(frozen: Frozen, before: ReadonlyMap<string, string>): readonly FrozenChange[] {
  const now = frozenStamps(frozen);
  const touched = frozen.files.filter(({ path: file }) => now.get(file) !== before.get(file));
  return touched.map(({ path: file }) => ({ what: shownFrom(frozen, file), how: 'changed during the checks' }));
}

/** The number and the change time of each script, for `touchedSince`. */
export function stampFrozen(frozen: Frozen): ReadonlyMap<string, string> {
  for (const { path: file } of frozen.files) writeBack(file);
  return frozenStamps(frozen);
}

/**
 * A process that keeps a script mapped can write to a page of it without moving its change time, as long as the page waits to
 * be written to disk. After that, its next write moves it (not on file systems in memory).
 */
function writeBack(file: string): void {
  try {
    const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch {
    // missing, a link, or one that may not be read: its content counts
  }
}

const frozenStamps = ({ files }: Frozen): ReadonlyMap<string, string> =>
  new Map(files.map(({ path: file }) => [file, stampOf(file)]));

function stampOf(file: string): string {
  // links that lead in a circle, a folder that may not be entered
  const entry = attempt(() => lstatSync(file, { throwIfNoEntry: false, bigint: true }), null);
  return entry === null ? 'unreadable' : entry === undefined ? 'gone' : `${entry.ino} ${entry.ctimeNs}`;
}

function isThere(file: string): boolean {
  return stampOf(file) !== 'gone';
}

function howChanged(one: FrozenFile): FrozenChange['how'] | null {
  const stamp = stampOf(one.path);
  if (stamp === 'gone') return 'deleted';
  if (stamp === 'unreadable') return 'moved by a link';
  if (realPath(one.path) !== one.real) return 'moved by a link';
  const read = readByteFileSync(one.path, LARGEST_FILE);
  if (read.type !== 'read' || read.cut || read.bytes.toString('base64') !== one.content) return 'edited';
  return (read.facts.mode & 0o111) === (one.mode & 0o111) ? null : 'made executable or not';
}
