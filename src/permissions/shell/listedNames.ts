import { ownValue } from '../../system/ownValue.ts';
import type { FoundCommand, FoundCommands } from './findCommands.ts';
import { type FolderWalk, gitCommandAt, mayWriteGiven, skippedByFind } from './folderWalks.ts';
import { namesIn, sameRow } from './sameRow.ts';
import { showsPatches } from './searchedContent.ts';
import type { ShellPart, ShellWord } from './shellTypes.ts';
import { commandName } from './unwrapCommand.ts';

type Words = readonly ShellWord[];
type Skips = (path: string) => boolean;

const has = (words: Words, pattern: RegExp) => words.some(({ text }) => pattern.test(text));

/** Programs that say something about files, or print their names, and open none. */
const NAMING = namesIn('ls dir test [ [[ stat du realpath readlink basename dirname namei');
const GIT_NAMING = namesIn('check-ignore check-attr ls-files ls-tree status log rev-parse rev-list');
const FIND_ACTS = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/;

/** Whether a command opens none of the files that its words name. */
export function onlyNames({ words: [head, ...words] }: ShellPart): boolean {
  const name = commandName(head?.text ?? '');
  if (name === 'find') return !has(words, FIND_ACTS);
  if (name !== 'git') return NAMING.has(name) && !has(words, /^--(?:files0|fromfile)/);
  const at = gitCommandAt(words);
  const rest = words.slice(at + 1);
  const command = words[at]?.text ?? '';
  if (!GIT_NAMING.has(command) || has(words, /^-c$|^--(?:output|exec|pathspec-from|exclude-from)|^-X/)) return false;
  return command === 'log' ? !showsPatches(rest.map(({ text }) => text)) : !has(rest, /^-[a-z]*v|^--v/);
}

/** Programs that print the names of files, for another command of the line to open, and what they leave out. */
const LISTERS: Readonly<Record<string, (words: Words, deep: boolean) => Skips>> = {
  ...sameRow('find gfind', skippedByFind),
  ...sameRow('fd fdfind locate', skipsNothing),
  ...sameRow('ls dir', skippedByLs),
  tree: (words) => (has(words, /^-[a-zA-Z]*a/) ? () => false : isHidden),
  grep: (words) => (has(words, /^-[a-zA-Z]*[lL]|^--files-with/) ? () => false : () => true),
  rg: (words) => (has(words, /^-[a-zA-Z]*l|^--files/) ? (path) => isHidden(path) && !showsHidden(words) : () => true),
};
/** Of git these list tracked files. */
const GIT_LISTERS: Readonly<Record<string, RegExp>> = {
  'ls-files': /^/,
  grep: /^(?:-[a-zA-Z]*[lL]|--(?:files|name))/,
  diff: /^--name/,
  'ls-tree': /^-[a-z]*r/,
};

function gitLister(words: Words): 'tracked' | 'all' | undefined {
  const at = gitCommandAt(words);
  const [name, rest] = [words[at]?.text ?? '', words.slice(at + 1)];
  if (name === 'status' && has(rest, /^(?:-[a-z]*s|--(?:short|porc|ignored))/)) return 'all';
  const when = ownValue(GIT_LISTERS, name);
  if (when === undefined || !(when.source === '^' || has(rest, when))) return undefined;
  return has(rest, /^(?:-[a-z]*[oi]|--(?:oth|ig|no-in|un))/) ? 'all' : 'tracked';
}

const isHidden = (path: string) => path.split('/').some((name) => name.startsWith('.'));
const showsHidden = (words: Words) => has(words, /^-(?:[a-zA-Z0-9]*[.ug]|-hidden|-unrestricted|-no-ignore|-i?glob)/);

function isLister({ words: [head, ...words] }: ShellPart): boolean {
  const name = commandName(head?.text ?? '');
  return name === 'git' ? gitLister(words) !== undefined : Object.hasOwn(LISTERS, name);
}

function skipsNothing(): Skips {
  return () => false;
}

/** What takes whole folders, `xargs rm -r`, gets all that is in those listed. */
function skippedByLs(words: Words, deepTaker: boolean): Skips {
  const hidden = has(words, /^-[a-zA-Z1]*[aAf]|^--a/);
  const deep = has(words, /^-[a-zA-Z1]*R|^--r/);
  return (path) =>
    deepTaker ? !hidden && path.startsWith('.') : (!hidden && isHidden(path)) || (!deep && path.includes('/'));
}

/** `find . | xargs cat`, `cat $(find .)`: what one command lists, another opens. */
export function listedForOthers(part: ShellPart, line: readonly ShellPart[]): FolderWalk | undefined {
  const [head, ...words] = part.words;
  const name = commandName(head?.text ?? '');
  const git = name === 'git' ? gitLister(words) : undefined;
  const skips = git ? skipsNothing : ownValue(LISTERS, name);
  if (skips === undefined) return undefined;
  const takers = line.filter((other) => other !== part && opensListed(other));
  if (takers.length === 0) return undefined;
  const deep = takers.some(({ words: taken }) => has(taken, /^-[a-zA-Z]*[rR]|^--recursive/));
  return {
    ...{ reads: true, writes: takers.some(mayWrite), startsHere: true, tracked: git === 'tracked' },
    skips: skips(words, deep),
  };
}

/** Programs that take the names of files from a list, and the words that say so. */
const LISTS: Readonly<Record<string, RegExp>> = {
  cpio: /^/,
  pax: /^-[a-z]*w/,
  ...sameRow('tar bsdtar gtar', /^(?:-[a-zA-Z]*T|--files-from)/),
  zip: /^-[a-zA-Z]*@$/,
  rsync: /^--files-from/,
  ...sameRow('sort wc du', /^--files0/),
  git: /^--(?:batch|stdin|pathspec-from)/,
};

/** Whether names reach a command from a list: on its standard input, in a file, in what another one prints. */
export function handsOn({ words: [head, ...words] }: ShellPart): boolean {
  const option = ownValue(LISTS, commandName(head?.text ?? ''));
  return option !== undefined && (option.source === '^' || has(words, option));
}

/** Programs whose words are text, or names that they do not open. */
const OPENS_NONE = namesIn(
  'xargs parallel echo printf : true false expr seq sleep export declare local readonly read cd pushd kill exit return set unset shift',
);

const GIT_OPENS_NONE = /^(?:commit|tag|push|fetch|branch|switch|merge|rebase)$/;

function opensListed(part: ShellPart): boolean {
  const [head, ...words] = part.words;
  const name = commandName(head?.text ?? '');
  if (handsOn(part)) return true;
  if (part.redirects.some(({ target }) => target.expands)) return true;
  if (OPENS_NONE.has(name) || onlyNames(part)) return false;
  if (
    name === 'git' &&
    GIT_OPENS_NONE.test(words[gitCommandAt(words)]?.text ?? '') &&
    !has(words, /^-[a-zA-Z]*F|^--file/)
  )
    return false;
  return head?.expands === true || words.some(({ expands }) => expands);
}

function mayWrite({ words, redirects }: ShellPart): boolean {
  return redirects.some(({ target }) => target.expands) || mayWriteGiven(words);
}

/** Whether something in the line may open names that another command of it prints. */
export function takesNames(part: ShellPart): boolean {
  const [head, ...rest] = part.words;
  const texts = [...rest, ...part.assignments.map(({ value }) => value), ...part.redirects.map(({ target }) => target)];
  return (
    handsOn(part) ||
    /^(?:xargs|parallel|read|mapfile|readarray)$/.test(commandName(head?.text ?? '')) ||
    texts.some(({ raw }) => /\$\(|`|[<>]\(/.test(raw))
  );
}

/** Programs that pass on what they read, and how many words they may have before one is a file. */
const FILTERS: Readonly<Record<string, number>> = {
  ...sameRow('cut head tail sort uniq tee', 0),
  ...sameRow('grep awk sed', 1),
  tr: 2,
};
const SPEAKS = new Set(['echo', 'printf']);

/**
 * Whether the names that a command takes from a list are those which a command before it prints, so that rules have
 * been held against them: `find . | grep x | xargs cat`, and not `xargs -a list cat`.
 */
export function isFed(part: ShellPart, { commands }: FoundCommands): boolean {
  const at = commands.findIndex((command) => holds(command, part));
  const taker = commands[at]?.part;
  const given = taker?.redirects.filter(({ operator }) => operator.startsWith('<')) ?? [];
  if (given.length > 0) return given.every(({ operator }) => operator === '<<<');
  if (taker === undefined || has(taker.words, /^(?:-[a-z]*a$|--arg-file)/)) return false;
  const source = commands.slice(0, at).findLast((command) => !isFilter(command.part));
  if (source === undefined) return false;
  return isLister(source.part) || SPEAKS.has(commandName(source.part.words[0]?.text ?? ''));
}

function holds({ part, inner }: FoundCommand, wanted: ShellPart): boolean {
  return part === wanted || inner.some((one) => holds(one, wanted));
}

function isFilter({ words: [head, ...words], redirects }: ShellPart): boolean {
  const most = ownValue(FILTERS, commandName(head?.text ?? ''));
  const operands = words.filter(({ text }) => !/^-|^\d+$/.test(text));
  return most !== undefined && operands.length <= most && redirects.every(({ operator }) => !operator.startsWith('<'));
}
