import { basename, dirname, join } from 'node:path';
import picomatch from 'picomatch';
import { ownValue } from '../../system/ownValue.ts';
import type { FolderEntry } from '../pathLookup.ts';
import { SHELLS } from './commandWrappers.ts';
import { operandUse } from './operandUse.ts';
import { sameRow } from './sameRow.ts';
import type { ShellPart, ShellWord } from './shellTypes.ts';
import { commandName } from './unwrapCommand.ts';

/** What a command does with the files of a folder that it is given, or of the one it starts in. */
export interface FolderWalk {
  readonly reads: boolean;
  readonly writes: boolean;
  /** Without a path it goes through the folder it stands in, or through all of the repository. */
  readonly startsHere: boolean | 'repository';
  /** Whether the command passes over a file, by its path from the folder: `grep -r --include='*.ts'`. */
  readonly skips?: (path: string) => boolean;
  /** It lists what the repository tracks, and nothing else. */
  readonly tracked?: boolean;
  /** Hidden files that it passes over come back by a file of patterns in a folder. */
  readonly patterned?: boolean;
}

type Words = readonly ShellWord[];
interface Row {
  readonly reads?: false | ((words: Words) => boolean);
  readonly writes?: false | ((words: Words) => boolean);
  readonly startsHere?: true | 'repository';
  readonly patterned?: true;
  /** Only with such words does it go into folders. */
  readonly when?: (words: Words) => boolean;
  readonly skips?: (words: Words) => (path: string) => boolean;
}

const has = (pattern: RegExp) => (words: Words) => words.some(({ text }) => pattern.test(text));
const expands = (words: Words) => words.some((word) => word.expands);
const read = { writes: false, startsHere: true } as const;
const not = (test: (words: Words) => boolean) => (words: Words) => !test(words);
const mode = (letter: string, long: RegExp) => (words: Words) =>
  words.some(({ text }, at) =>
    at === 0 || /^-[^-]/.test(text)
      ? new RegExp(`^-?[a-zA-Z]*${letter}[a-zA-Z]*$`).test(text) || long.test(text)
      : long.test(text),
  );
const unpacks = mode('x', /^--(?:ex|get)/);
const packs = mode('[cru]', /^--(?:cr|app|upd|cat|conc)/);

const PROGRAMS: Readonly<Record<string, Row>> = {
  ...sameRow('grep egrep fgrep', {
    ...read,
    when: has(/^-[a-zA-Z]*[rRd]|^--(?:r|de|di)/),
    skips: skippedByGrep,
  }),
  rg: { ...read, skips: skippedByRipgrep, patterned: true },
  ...sameRow('ag ack', read),
  diff: { writes: false },
  cp: { when: has(/^-[a-zA-Z]*[rRa]|^--(?:r|a)/) },
  scp: { when: has(/^-[a-zA-Z]*r/) },
  // of what is unpacked only the folders that the words name are known
  ...sameRow('tar gtar bsdtar jar', {
    reads: packs,
    writes: (words: Words) => unpacks(words) || has(/^--remove-f/)(words),
  }),
  pax: { startsHere: true },
  unzip: { reads: false, when: has(/^-[a-zA-Z]*d/) },
  ...sameRow('gzip bzip2 xz zstd rm shx', { when: has(/^-[a-zA-Z]*[rR]|^--r/) }),
  find: {
    startsHere: true,
    writes: findWrites,
    when: has(/^-(?:delete|exec|execdir|ok|okdir)$/),
    skips: skippedByFind,
  },
  ...sameRow('fd fdfind', { startsHere: true, when: has(/^(?:-[a-zA-Z]*[xX]|--exec)/) }),
  ...sameRow('rsync cpio zip 7z mv rimraf del del-cli trash trash-put rename mmv', {}),
  ...sameRow('chmod chown chgrp chattr setfacl', { when: has(/^-[a-zA-Z]*R|^--r/) }),
  patch: { reads: false, startsHere: true, when: not(has(/^--dry/)) },
};

const replace = { reads: false, startsHere: 'repository' } as const;
const indexOnly = (words: Words) => has(/^(?:-S|--staged)$/)(words) && !has(/^(?:-[a-zA-Z]*W|--worktree)$/)(words);

/**
 * Commands of git that replace or remove files of the working folder, whatever they are. Those that move between
 * commits (`switch`, `pull`, `merge`) are not here: they keep what was changed and bring what others committed.
 */
const GIT: Readonly<Record<string, Row>> = {
  reset: { ...replace, when: has(/^--(?:h|me|k)/) },
  checkout: { ...replace, when: isPathCheckout },
  'checkout-index': replace,
  'read-tree': { ...replace, when: has(/^(?:-[a-z]*u|--reset)/) },
  switch: { ...replace, when: has(/^-(?:[a-z]*f|-f|-disc)/) },
  restore: { ...replace, when: not(indexOnly) },
  clean: { ...replace, when: (words) => !has(/^(?:-[a-zA-Z]*n|--dry-run$)/)(words) },
  rm: { ...replace, when: has(/^-[a-zA-Z]*r/) },
  mv: replace,
  stash: { ...replace, reads: has(/^(?:-[a-z]*a|--a)/), when: has(/^(?:-[a-z]*[au]|--(?:a|include-u))/) },
  worktree: { reads: false, when: has(/^remove$/) },
  apply: { ...replace, when: (words) => !has(/^--(?:check|stat|numstat|summary)$/)(words) },
  am: replace,
  add: { writes: false, startsHere: 'repository', when: has(/^(?:-[a-zA-Z]*f|--f)/) },
  grep: { writes: false, startsHere: 'repository', when: has(/^--(?:no-in|un)/) },
  diff: { writes: false, when: has(/^--no-in/) },
};

/** How a command goes through folders; undefined when it does not. */
export function folderWalk({ words, assignments }: ShellPart): FolderWalk | undefined {
  const [head, ...rest] = words;
  const name = commandName(head?.text ?? '');
  const at = name === 'git' ? gitCommandAt(rest) : -1;
  const row = name === 'git' ? ownValue(GIT, rest[at]?.text ?? '') : ownValue(PROGRAMS, name);
  const operands = rest.slice(at + 1);
  if (row === undefined || row.when?.(operands) === false) return undefined;
  const { startsHere = false, patterned = false } = row;
  const does = (use: Row['reads']) => (typeof use === 'function' ? use(operands) : use !== false);
  // a file of settings may bring back what is passed over
  const plain = !assignments.some((one) => one.name === 'RIPGREP_CONFIG_PATH');
  const skips = plain ? row.skips?.(operands) : undefined;
  return { reads: does(row.reads), writes: does(row.writes), startsHere, patterned, ...(skips && { skips }) };
}

export function gitCommandAt(words: Words): number {
  const valued = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|config-env|attr-source))$/;
  return words.findIndex(({ text }, at) => !text.startsWith('-') && !valued.test(words[at - 1]?.text ?? ''));
}

/** `find -exec wc {} +` only reads what it finds. */
function findWrites(words: Words): boolean {
  if (has(/^-delete$/)(words)) return true;
  return words.some(({ text }, at) => {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(text)) return false;
    const end = words.findIndex((word, index) => index > at && (word.text === ';' || word.text === '+'));
    const inner = words.slice(at + 1, end < 0 ? words.length : end);
    return mayWriteGiven(inner);
  });
}

const RUNS_CODE = /^(?:python|node|perl|ruby|php|lua|deno|bun)/;

/** Whether a command may write files that it is given later; a program in its words may do anything with them. */
export function mayWriteGiven(words: Words): boolean {
  const [head, ...rest] = words;
  const name = commandName(head?.text ?? '');
  if (SHELLS.has(name) || (RUNS_CODE.test(name) && has(/^-[a-zA-Z]*[ce]$|^--?(?:eval|p)/)(rest))) return true;
  return operandUse(words.map((word) => ({ ...word, expands: false }))) !== 'read';
}

/** `git checkout -- .` and `git checkout HEAD src` replace files; `git checkout main` keeps what was changed. */
function isPathCheckout(words: Words): boolean {
  if (has(/^(?:--|-p|--patch|-[a-z]*f|--force|--ours|--theirs|--pathspec-from-file.*)$/)(words)) return true;
  if (has(/^(?:-b|-B|--orphan|-t|--track)$/)(words)) return false;
  const operands = words.filter(({ text }) => !text.startsWith('-'));
  return operands.length > 1 || operands.some(({ text }) => /[./]$|^[.:]|\*/.test(text));
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

/**
 * ripgrep passes over hidden files by default; a `-g` or an unknown word may bring them back. The last `-g` that fits
 * decides; where there are some that name what to search, the others are left out.
 */
function skippedByRipgrep(words: Words): (path: string) => boolean {
  const given = words.flatMap(({ text }, at) => {
    if (/^(?:-g|--i?glob)$/.test(text)) return [words[at + 1]?.text ?? '*'];
    return /^-g.|^--i?glob=/s.test(text) ? [text.replace(/^-g|^--i?glob=/, '')] : [];
  });
  // letters put together
  if (expands(words) || has(/^-[a-fh-zA-Z0-9]+g/)(words)) return () => false;
  const hidden = has(/^-(?:[a-zA-Z0-9]*[.u]|-hidden|-unrestricted|-no-ignore)/)(words);
  const globs = given.map((glob) => ({ keeps: !glob.startsWith('!'), glob: glob.replace(/^!/, '') }));
  const filters = globs.map(({ keeps, glob }) => ({ keeps, fits: inFolder(glob, keeps) }));
  return (path) => {
    const last = filters.findLast(({ fits }) => fits(lastName(path)));
    if (last) return !last.keeps;
    return filters.some(({ keeps }) => keeps) || (!hidden && path.split('/').some((name) => name.startsWith('.')));
  };
}

/** A pattern with a folder may fit; so that nothing is left out wrongly, it does where it keeps. */
function inFolder(glob: string, keeps: boolean): (name: string) => boolean {
  return glob.includes('/') || glob.includes('{') ? () => keeps : fitting(glob);
}

/** `find -name '*.ts'`: only what has a fitting name on its path, in one of the alternatives that `-o` separates. */
export function skippedByFind(words: Words): (path: string) => boolean {
  if (expands(words) || has(/^(?:\(|\)|,)$/)(words)) return () => false;
  const alternatives: ((name: string) => boolean)[][] = [[]];
  let acts = false;
  for (const [at, { text }] of words.entries()) {
    const negated = /^(?:!|-not)$/.test(words[at - 1]?.text ?? '');
    if (/^-or?$/.test(text)) {
      alternatives.push([]);
      acts = false;
    }
    // what is tested after an action comes too late for it
    acts ||= /^-(?:print|exec|ok|ls|fprint|fls|delete)/.test(text);
    if (/^-i?name$/.test(text) && !negated && !acts) alternatives.at(-1)?.push(fitting(words[at + 1]?.text ?? '*'));
  }
  return (path) => {
    const names = path.split('/');
    return alternatives.every((tests) => tests.some((fits) => !names.some((name) => fits(name))));
  };
}

export const fitting = (glob: string) =>
  glob.length > 200 || glob === ''
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
  fits: (path: string) => boolean,
): boolean {
  if (fits(folder) && entries(dirname(folder)).some(({ name }) => name === basename(folder))) return true;
  const waiting = [folder];
  for (let at = 0; at < waiting.length; at++) {
    if (at >= MAX_FOLDERS) return true;
    const here = waiting[at] ?? folder;
    for (const { name, isFolder } of entries(here)) {
      const path = join(here, name);
      if (fits(path)) return true;
      if (isFolder && !PASSED_OVER.has(name)) waiting.push(path);
    }
  }
  return false;
}
