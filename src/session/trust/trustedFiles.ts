import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { TrustedFile } from '../../schemas/trust.ts';
import { attempt } from '../../system/attempt.ts';
import { digestFileSync } from '../../system/digestFile.ts';
import { type PackageScript, scriptsIn } from '../runFiles/packageScripts.ts';
import type { RunFiles } from '../runFiles/runFiles.ts';

/** How a file differs from what was approved. */
export type FileChange =
  | 'edited'
  | 'created'
  | 'deleted'
  | 'moved by a link'
  | 'made executable or not'
  | `script "${string}" edited`;

interface Place {
  /** The trusted folder, or a worktree of it, by its real path. */
  readonly folder: string;
  /** The real path of the repository around it. */
  readonly topLevel: string;
}

/** The names by which items refer to files. */
export const keyOf = ({ is, path: file }: Pick<TrustedFile, 'is' | 'path'>): string =>
  is === 'scripts' ? `${file}#scripts` : file;

/** The state of every file that commands run, as it is now. */
export function recordFiles(run: RunFiles, place: Place, now: number): readonly TrustedFile[] {
  const inside = (file: string) => path.relative(place.folder, file);
  return [
    ...run.scripts.map((file) => recordFile(inside(file), place, now)),
    ...run.absent.map((file) => ({ is: 'missing', path: inside(file) }) as const),
    ...[...Map.groupBy(run.packageScripts, ({ file }) => file)].map(([file, scripts]) => ({
      ...{ is: 'scripts' as const, path: inside(file), scripts: textsOf(scripts) },
      stamp: lastingStamp(file, now),
    })),
  ];
}

function recordFile(file: string, { folder, topLevel }: Place, now: number): TrustedFile {
  const absolute = path.resolve(folder, file);
  // before the content: a stamp that is older than what was read only costs another digest
  const stamp = lastingStamp(absolute, now);
  const found = digestFileSync(absolute);
  const real = realOf(absolute);
  if (found === null || real === null) return { is: 'missing', path: file };
  const isOutside = path.relative(topLevel, real).startsWith('..');
  return {
    ...{ is: 'file', path: file, digest: found.digest, stamp, bytes: found.facts.size },
    executable: (found.facts.mode & 0o111) !== 0,
    real: real === absolute ? null : isOutside ? real : path.relative(folder, real),
  };
}

/** With the hooks around each script: a new `pretest` runs before `test`. */
function textsOf(scripts: readonly PackageScript[]): Record<string, string | null> {
  const around = scripts.flatMap(({ name }) => (/^(?:pre|post)/.test(name) ? [] : [`pre${name}`, `post${name}`]));
  return {
    ...Object.fromEntries(around.map((name) => [name, null])),
    ...Object.fromEntries(scripts.map(({ name, text }) => [name, text])),
  };
}

/** Compares files with what was approved, in one folder. Remembers what `stat` returned for those that are as approved. */
export function fileComparison(folder: string, clock: () => number): (recorded: TrustedFile) => FileChange | null {
  const same = new Map<string, string>();
  return (recorded) => {
    const file = path.resolve(folder, recorded.path);
    if (recorded.is === 'missing') return isRegular(file) ? 'created' : null;
    const key = keyOf(recorded);
    const stamp = stampOf(file);
    const known = same.get(key) ?? recorded.stamp;
    if (recorded.is === 'file' && realOf(file) !== expectedPath(recorded, folder)) {
      return stamp === null ? 'deleted' : 'moved by a link';
    }
    if (stamp !== null && stamp === known) return null;
    const change = recorded.is === 'scripts' ? scriptChange(recorded, file) : contentChange(recorded, file);
    const lasting = change === null ? lastingStamp(file, clock()) : null;
    if (lasting === null) same.delete(key);
    else if (lasting === stamp) same.set(key, lasting);
    return change;
  };
}

function expectedPath({ path: file, real }: Extract<TrustedFile, { is: 'file' }>, folder: string): string {
  return path.resolve(folder, real ?? file);
}

function contentChange(recorded: Extract<TrustedFile, { is: 'file' }>, file: string): FileChange | null {
  const found = digestFileSync(file);
  if (found === null) return 'deleted';
  if (found.digest !== recorded.digest) return 'edited';
  return ((found.facts.mode & 0o111) !== 0) === recorded.executable ? null : 'made executable or not';
}

function scriptChange({ scripts }: Extract<TrustedFile, { is: 'scripts' }>, file: string): FileChange | null {
  const now = scriptsIn(file);
  const changed = Object.entries(scripts).find(([name, text]) => (ownText(now, name) ?? null) !== text);
  return changed === undefined ? null : `script "${changed[0]}" edited`;
}

function ownText(scripts: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** Times of files are as coarse as the system's clock tick: a newer file could change again and keep them. */
const SETTLED_MS = 2_000;

/** What `stat` returns for a file that is old enough for any later change to show in it; null for a newer or missing one. */
function lastingStamp(file: string, now: number): string | null {
  const facts = statSync(file, { throwIfNoEntry: false });
  return facts === undefined || now - facts.ctimeMs < SETTLED_MS ? null : stampOf(file);
}

/** No program can set the change time (`ctime`); a write through a shared mapping moves it late. */
function stampOf(file: string): string | null {
  // links that lead in a circle, a folder that may not be entered
  const facts = attempt(() => statSync(file, { throwIfNoEntry: false, bigint: true }), undefined);
  return facts ? `${facts.dev}:${facts.ino}:${facts.size}:${facts.mtimeNs}:${facts.ctimeNs}` : null;
}

const isRegular = (file: string): boolean =>
  attempt(() => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false, false);

const realOf = (file: string): string | null => attempt(() => realpathSync.native(file), null);
