import { lstatSync } from 'node:fs';
import * as files from 'node:fs/promises';
import path from 'node:path';
import { changedScripts, withScripts } from '../../session/runFiles/packageScripts.ts';
import { realPath } from '../../system/realPath.ts';
import type { Check } from '../checks/types.ts';
import type { Frozen } from './frozen.ts';
import { linkChildren } from './linkEntry.ts';

/** A copy of a project in which checks run with their frozen scripts. */
export interface FrozenPlace {
  /** Puts the frozen scripts in place (again), and returns the check as it runs there. */
  place(check: Check): Promise<Check>;
  /** Whether the scripts are still as they were put: a check, or what it tests, may write to them. */
  isIntact(): boolean;
}

/** Where the present text of a package.json is, of which only the frozen scripts are put back. */
type ManifestOf = (file: string, target: string) => string;

export function frozenPlace(frozen: Frozen, root: string, manifestOf: ManifestOf): FrozenPlace {
  const targets = frozen.files.map(({ path: file }) => path.join(root, insideOf(frozen, file)));
  let stamps: readonly string[] = [];
  return {
    place: async (check) => {
      await putFrozen(frozen, root, manifestOf);
      stamps = targets.map(stampOf);
      return placed(check, frozen, root);
    },
    isIntact: () => targets.every((target, at) => stampOf(target) === stamps[at]),
  };
}

/** Without the change time: a check may make its own script executable. */
function stampOf(file: string): string {
  const entry = lstatSync(file, { throwIfNoEntry: false, bigint: true });
  return entry === undefined ? 'gone' : `${entry.ino} ${entry.mtimeNs} ${entry.size}`;
}

async function putFrozen(frozen: Frozen, root: string, manifestOf: ManifestOf): Promise<void> {
  for (const { path: file, mode, content } of frozen.files) {
    const target = await realPlace(root, insideOf(frozen, file));
    await files.writeFile(target, Buffer.from(content, 'base64'));
    await files.chmod(target, mode);
  }
  for (const file of frozen.absent)
    await files.rm(path.join(root, insideOf(frozen, file)), { recursive: true, force: true });
  for (const [file, scripts] of Map.groupBy(frozen.packageScripts, (one) => one.file)) {
    const now = manifestOf(file, path.join(root, insideOf(frozen, file)));
    if (changedScripts(now, scripts).length === 0) continue;
    const text = await files.readFile(now, 'utf8').catch(() => '{}');
    await files.writeFile(await realPlace(root, insideOf(frozen, file)), withScripts(text, scripts));
  }
}

function placed(check: Check, frozen: Frozen, root: string): Check {
  const folder = path.dirname(frozen.file);
  const real = realPath(folder);
  const moved = (text: string) =>
    movedPath(movedPath(text, frozen.topLevel, root), folder, path.join(root, path.relative(frozen.topLevel, real)));
  const inside = path.relative(frozen.topLevel, realPath(check.cwd));
  return {
    ...check,
    folder: path.join(root, path.relative(frozen.topLevel, real)),
    file: moved(check.file),
    args: check.args.map(moved),
    // a folder elsewhere is the same for the copy
    cwd: inside.startsWith('..') ? check.cwd : path.join(root, inside),
  };
}

/** Whole paths only: `/p` in `/q/p/x` and in `/pq` is another folder. */
function movedPath(text: string, from: string, to: string): string {
  const pattern = new RegExp(`(?<![\\w.~/-])${from.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?=$|[^\\w.-])`, 'g');
  return text.replaceAll(pattern, () => to);
}

/** The place of a file in the copy, in real folders: a folder that is a link gets links to what is in it. */
async function realPlace(root: string, inside: string): Promise<string> {
  const names = inside.split(path.sep);
  let at = root;
  for (const name of names.slice(0, -1)) {
    at = path.join(at, name);
    const entry = await files.lstat(at).catch(() => undefined);
    if (entry?.isDirectory()) continue;
    const target = entry?.isSymbolicLink() ? path.resolve(path.dirname(at), await files.readlink(at)) : null;
    if (entry) await files.rm(at);
    await files.mkdir(at);
    if (target !== null) await linkChildren(target, at);
  }
  const target = path.join(at, names.at(-1) ?? '');
  await files.rm(target, { recursive: true, force: true });
  return target;
}

/** From the root of the project. Throws for a path elsewhere: nothing outside the copy may be written. */
function insideOf({ topLevel }: Frozen, file: string): string {
  const inside = path.relative(topLevel, file);
  if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) {
    throw new Error(`${file} is outside ${topLevel}`);
  }
  return inside;
}
