import { join, relative } from 'node:path';
import picomatch from 'picomatch';
import { ownValue } from '../../system/ownValue.ts';
import type { FolderEntry } from '../pathLookup.ts';
import type { ShellPart, ShellWord } from './shellTypes.ts';
import { commandName } from './unwrapCommand.ts';

/** What a command does with the files of a folder that it is given, or of the one it starts in. */
export interface FolderWalk {
  readonly reads: boolean;
  readonly writes: boolean;
  /** Without a path it goes through the folder it stands in, or through all of the repository. */
  readonly startsHere: boolean;
  /** Whether the command passes over a file, by its path from the folder: `grep -r --include='*.ts'`. */
  skips(path: string): boolean;
}

type Words = readonly ShellWord[];
interface Row {
  readonly reads?: false;
  readonly writes?: false;
  readonly startsHere?: true;
  /** Only with such words does it go into folders. */
  readonly when?: (words: Words) => boolean;
  readonly skips?: (words: Words) => (path: string) => boolean;
}

const has = (pattern: RegExp) => (words: Words) => words.some(({ text }) => pattern.test(text));
const expands = (words: Words) => words.some((word) => word.expands);
const read = { writes: false, startsHere: true } as const;
const recursiveGrep = {
  ...read,
  when: has(/^-[a-zA-Z]*[rRd]|^--(?:recursive|dereference|directories)/),
  skips: skippedByGrep,
} as const;

const PROGRAMS: Readonly<Record<string, Row>> = {
  grep: recursiveGrep,
  egrep: recursiveGrep,
  fgrep: recursiveGrep,
  rg: { ...read, skips: skippedByRipgrep },
  ag: read,
  ack: read,
  diff: { writes: false },
  cp: { when: has(/^-[a-zA-Z]*[rRa]|^--(?:recursive|archive)/) },
  scp: { when: has(/^-[a-zA-Z]*r/) },
  rsync: {},
  tar: {},
  zip: {},
  '7z': {},
  mv: {},
  find: { startsHere: true, when: has(/^-(?:delete|exec|execdir|ok|okdir)$/), skips: skippedByFind },
  rm: { when: has(/^-[a-zA-Z]*[rR]|^--recursive/) },
  chmod: { when: has(/^-[a-zA-Z]*R|^--recursive/) },
  chown: { when: has(/^-[a-zA-Z]*R|^--recursive/) },
};

const replace = { reads: false, startsHere: true } as const;

/**
 * Commands of git that replace or remove files of the working folder, whatever they are. Those that move between
 * commits (`switch`, `pull`, `merge`) are not here: they keep what was changed and bring what others committed.
 */
const GIT: Readonly<Record<string, Row>> = {
  reset: { ...replace, when: has(/^--(?:h|me|k)/) },
  checkout: { ...replace, when: isPathCheckout },
  switch: { ...replace, when: has(/^-(?:[a-z]*f|-f|-disc)/) },
  restore: replace,
  clean: { ...replace, when: (words) => !has(/^(?:-[a-zA-Z]*n|--dry-run$)/)(words) },
  rm: { ...replace, when: has(/^-[a-zA-Z]*r/) },
  mv: replace,
  apply: { ...replace, when: (words) => !has(/^--(?:check|stat|numstat|summary)$/)(words) },
  am: replace,
  grep: { ...read, when: has(/^--(?:no-index|untracked)$/) },
};

/** Programs that print the names of files, for another command of the line to open. */
const LISTERS: Readonly<Record<string, (words: Words) => (path: string) => boolean>> = {
  find: skippedByFind,
  fd: skipsNothing,
  fdfind: skipsNothing,
  ls: skipsNothing,
  tree: skipsNothing,
};

/** How a command goes through folders; undefined when it does not. */
export function folderWalk({ words }: ShellPart): FolderWalk | undefined {
  const [head, ...rest] = words;
  const name = commandName(head?.text ?? '');
  const at = name === 'git' ? gitCommandAt(rest) : -1;
  const row = name === 'git' ? ownValue(GIT, rest[at]?.text ?? '') : ownValue(PROGRAMS, name);
  const operands = rest.slice(at + 1);
  if (row === undefined || row.when?.(operands) === false) return undefined;
  const { reads = true, writes = true, startsHere = false } = row;
  return { reads, writes, startsHere, skips: row.skips?.(operands) ?? (() => false) };
}

/** `find . | xargs cat`, `cat $(find .)`: what one command lists, another opens. */
export function listedForOthers(part: ShellPart, line: readonly ShellPart[]): FolderWalk | undefined {
  const [head, ...words] = part.words;
  const skips = ownValue(LISTERS, commandName(head?.text ?? ''));
  return skips && line.some(takesNames)
    ? { reads: true, writes: true, startsHere: true, skips: skips(words) }
    : undefined;
}

function takesNames({ words }: ShellPart): boolean {
  const [head, ...rest] = words;
  const name = commandName(head?.text ?? '');
  return /^(?:xargs|parallel|read|mapfile|readarray|cpio)$/.test(name) || rest.some(({ raw }) => /\$\(|`/.test(raw));
}

function gitCommandAt(words: Words): number {
  const valued = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env|attr-source))$/;
  return words.findIndex(({ text }, at) => !text.startsWith('-') && !valued.test(words[at - 1]?.text ?? ''));
}

/** `git checkout -- .` and `git checkout HEAD src` replace files; `git checkout main` keeps what was changed. */
function isPathCheckout(words: Words): boolean {
  if (has(/^(?:--|-[a-z]*f|--force|--ours|--theirs|--pathspec-from-file.*)$/)(words)) return true;
  if (has(/^(?:-b|-B|--orphan|-t|--track)$/)(words)) return false;
  const operands = words.filter(({ text }) => !text.startsWith('-'));
  return operands.length > 1 || operands.some(({ text }) => /[./]$|^[.:]|\*/.test(text));
}

function skipsNothing(): (path: string) => boolean {
  return () => false;
}

/** GNU grep: the last of `--include` and `--exclude` that fits a name decides; without one, the first of them. */
function skippedByGrep(words: Words): (path: string) => boolean {
  const filters = words.flatMap(({ text }, at) => {
    const [, kind, given] = /^--(include|exclude)(?:=(.*))?$/s.exec(text) ?? [];
    const glob = given ?? words[at + 1]?.text ?? '';
    return kind === undefined ? [] : [{ keeps: kind === 'include', fits: fitting(glob) }];
  });
  const [first] = filters;
  if (first === undefined || expands(words)) return () => false;
  return (path) => !(filters.findLast(({ fits }) => fits(lastName(path)))?.keeps ?? !first.keeps);
}

/** ripgrep passes over hidden files by default; a `-g` or an unknown word may bring them back. */
function skippedByRipgrep(words: Words): (path: string) => boolean {
  if (expands(words) || has(/^-(?:[a-zA-Z0-9]*[.ug]|-hidden|-unrestricted|-no-ignore|-i?glob)/)(words))
    return () => false;
  return (path) => path.split('/').some((name) => name.startsWith('.'));
}

/** `find -name '*.ts'`: only what has a fitting name on its path, as long as nothing turns the test round. */
function skippedByFind(words: Words): (path: string) => boolean {
  if (expands(words) || has(/^(?:!|-not|-o|-or|,)$/)(words)) return () => false;
  const globs = words.flatMap(({ text }, at) => (/^-i?name$/.test(text) ? [words[at + 1]?.text ?? '*'] : []));
  const tests = globs.map(fitting);
  return (path) => tests.some((fits) => !path.split('/').some((name) => fits(name)));
}

const fitting = (glob: string) =>
  glob.length > 200
    ? () => true
    : picomatch(glob, { dot: true, nonegate: true, nobrace: true, noextglob: true, nocase: true });

const lastName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Neither holds files of the user that a name such as `.env` is meant for, and both are large. */
const PASSED_OVER = new Set(['.git', 'node_modules']);
const MAX_FOLDERS = 5000;

/** Whether a file that fits lies in a folder, at any depth; true as well when it is too large to look through. */
export function liesSomewhereIn(
  folder: string,
  entries: (folder: string) => readonly FolderEntry[],
  fits: (path: string, fromFolder: string) => boolean,
): boolean {
  const waiting = [folder];
  for (let at = 0; at < waiting.length; at++) {
    if (at >= MAX_FOLDERS) return true;
    const here = waiting[at] ?? folder;
    for (const { name, isFolder } of entries(here)) {
      const path = join(here, name);
      if (fits(path, relative(folder, path))) return true;
      if (isFolder && !PASSED_OVER.has(name)) waiting.push(path);
    }
  }
  return false;
}
