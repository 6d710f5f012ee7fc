import { readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { attempt } from '../system/attempt.ts';
import { perObject } from '../system/perObject.ts';
import { readTextFileSync } from '../system/readTextFile.ts';
import { makeRealPath } from './makeRealPath.ts';
import { isInside } from './matchPath.ts';
import { trackedFiles } from './trackedFiles.ts';
import type { PermissionFacts } from './types.ts';

export type Places = Pick<
  PermissionFacts,
  'projectDir' | 'homeDir' | 'cwd' | 'directories' | 'realPath' | 'listFolder' | 'trackedFiles'
>;

export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
}

export type PathLookup = ReturnType<typeof makeLookup>;

/** A line that names more than this is not looked up to its end, and counts as leading out. */
const MAX_LOOKUPS = 20_000;
const TOO_MANY = '/(more paths than are looked up)';

/** What the file system says about the words of one command line, each asked once. */
export const pathLookup = perObject(makeLookup);

function makeLookup(facts: Places) {
  const real = limited(facts.realPath ?? makeRealPath(), TOO_MANY);
  const folders = [facts.projectDir, ...facts.directories].map((name) => ({ name, real: real(name) }));
  const list = facts.listFolder ? asFolders(facts.listFolder) : listEntries;
  const names = limited((folder: string) => list(folder).map(({ name }) => name), []);
  const exceptions = limited(
    (folder: string): readonly string[] => {
      const above = dirname(folder) === folder ? [] : exceptions(dirname(folder));
      const files = IGNORE_FILES.filter((name) => names(folder).includes(name));
      return files.length === 0 ? above : [...above, ...files.flatMap((name) => exceptionsIn(join(folder, name)))];
    },
    ['*'],
  );
  return {
    /** Where words lead from a folder: by name, and with links followed. */
    places: (folder: string, text: string) => [...new Set([resolve(folder, text), asNamed(follow(folder, text))])],
    /** Names in a folder; none when it cannot be read. */
    names,
    /** The same names, with which of them are folders; links are not followed. */
    entries: limited(list, []),
    /** Patterns in ignore files of a folder, or above it, that bring hidden files back into searches: `!.env`. */
    exceptions,
    /** Paths that the repository of a folder tracks; undefined when they cannot be told. */
    tracked: facts.trackedFiles ?? trackedFiles,
    /** The open folders, by name and with links followed. */
    open: [...new Set([...facts.directories, ...facts.directories.map(real)])],
  };

  /** `link/..` is the parent of where the link leads. */
  function follow(folder: string, text: string): string {
    const names = text.split('/');
    if (!names.includes('..')) return real(resolve(folder, text));
    return names.reduce((at, name) => real(resolve(at, name)), text.startsWith('/') ? '/' : real(folder));
  }

  /** Rules are written for the name under which a folder was opened, which may itself be a link. */
  function asNamed(path: string): string {
    const inside = folders.find((folder) => isInside(path, [folder.real]));
    return inside ? join(inside.name, relative(inside.real, path)) : path;
  }
}

function limited<Found>(ask: (path: string) => Found, otherwise: Found): (path: string) => Found {
  const known = new Map<string, Found>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    if (known.size >= MAX_LOOKUPS) return otherwise;
    const found = ask(path);
    known.set(path, found);
    return found;
  };
}

const MAX_IGNORE_BYTES = 64 * 1024;
const IGNORE_FILES = ['.gitignore', '.ignore', '.rgignore'];

function exceptionsIn(path: string): readonly string[] {
  const file = readTextFileSync(path, MAX_IGNORE_BYTES);
  if (file.type === 'missing') return [];
  if (file.type === 'unreadable' || file.cut) return ['*'];
  return file.text.split('\n').flatMap((line) => /^!\S*?([^/\s]+)\/?\s*$/.exec(line)?.[1] ?? []);
}

function listEntries(path: string): readonly FolderEntry[] {
  const entries = attempt(() => readdirSync(path, { withFileTypes: true }), []);
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}

/** A given listing has names only; a file then has no names in it. */
function asFolders(list: (folder: string) => readonly string[]): (folder: string) => readonly FolderEntry[] {
  return (folder) => list(folder).map((name) => ({ name, isFolder: true }));
}
