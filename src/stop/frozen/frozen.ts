import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { readByteFileSync } from '../../system/readTextFile.ts';
import type { DefinitionOfDone } from '../checks/types.ts';
import { type PackageScript, scriptsIn, scriptsNamed } from './packageScripts.ts';
import type { ProtectedStart } from './protectedFiles.ts';
import { findRunFiles } from './runFiles.ts';

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
  const { scripts, packageScripts } = findRunFiles(done.checks, topLevel);
  const folder = path.dirname(done.file);
  const mayEdit = picomatch([...done.editable], { dot: true });
  const wanted = scripts.filter((file) => done.editable.length === 0 || !mayEdit(path.relative(folder, file)));
  const ignored = await isIgnored(wanted);
  const files = wanted.filter((file) => !ignored.has(file)).flatMap((file) => frozenFile(file) ?? []);
  return { file: done.file, text, topLevel, files, packageScripts };
}

function frozenFile(file: string): FrozenFile | undefined {
  const read = readByteFileSync(file, LARGEST_FILE);
  if (read.type !== 'read' || read.cut) return undefined;
  return { path: file, real: realOf(file), mode: read.facts.mode & 0o777, content: read.bytes.toString('base64') };
}

function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** A difference between a frozen definition and the files as they are now. */
export interface FrozenChange {
  /** For people, from the folder of the configuration: `scripts/check.sh`, `script "test" of package.json`. */
  readonly what: string;
  readonly how: 'edited' | 'deleted' | 'moved by a link' | 'made executable or not';
  /** Whether a check would run something else because of it. */
  readonly runs: boolean;
}

/** The scripts that are not as they were. */
export function scriptChanges({ file, files, packageScripts }: Frozen): readonly FrozenChange[] {
  const folder = path.dirname(file);
  const shown = (one: string) => path.relative(folder, one) || path.basename(one);
  const ofFiles = files.flatMap((one) => {
    const how = howChanged(one);
    return how === null ? [] : [{ what: shown(one.path), how, runs: true }];
  });
  const ofPackages = [...Map.groupBy(packageScripts, (one) => one.file)].flatMap(([manifest, frozen]) => {
    const now = scriptsIn(manifest);
    // a new `pretest` runs before `test` as well
    const main = frozen.filter(({ name }) => !/^(?:pre|post)/.test(name));
    const names = [...new Set([...frozen, ...main.flatMap(({ name }) => scriptsNamed(manifest, name))])];
    const changed = names.filter(({ name }) => now[name] !== frozen.find((one) => one.name === name)?.text);
    return [...new Set(changed.map(({ name }) => name))].map((name): FrozenChange => {
      const how = Object.hasOwn(now, name) ? 'edited' : 'deleted';
      return { what: `script "${name}" of ${shown(manifest)}`, how, runs: true };
    });
  });
  return [...ofFiles, ...ofPackages];
}

function howChanged(one: FrozenFile): FrozenChange['how'] | null {
  if (lstatSync(one.path, { throwIfNoEntry: false }) === undefined) return 'deleted';
  if (realOf(one.path) !== one.real) return 'moved by a link';
  const read = readByteFileSync(one.path, LARGEST_FILE);
  if (read.type !== 'read' || read.cut || read.bytes.toString('base64') !== one.content) return 'edited';
  return (read.facts.mode & 0o111) === (one.mode & 0o111) ? null : 'made executable or not';
}
