import { SHELLS } from './commandWrappers.ts';
import { ANYTHING, type ShellPart, type ShellWord } from './shellTypes.ts';
import { splitCommand } from './splitCommand.ts';
import { commandName, unwrapCommand } from './unwrapCommand.ts';
import type { Unwrapped } from './unwrapped.ts';
import { writtenScripts } from './writtenScripts.ts';

/** A simple command and the ones that it runs in turn. */
export interface FoundCommand {
  readonly part: ShellPart;
  readonly inner: readonly FoundCommand[];
  /** A rule for what is inside covers this one too: `timeout 5 npm test`. */
  readonly transparent: boolean;
  /** What it runs comes from an option that a rule with a wildcard does not cover. */
  readonly beyond: boolean;
  /** Programs of another language in its words: `python -c …`. */
  readonly code: readonly string[];
  /** It stands in a variable, for another program to run. */
  readonly ofVariable: boolean;
}

export interface FoundCommands {
  readonly text: string;
  /** Commands of the line itself, those in substitutions included. */
  readonly commands: readonly FoundCommand[];
  /** Those and all they run, flat. */
  readonly all: readonly FoundCommand[];
  /** What runs elsewhere, or from a file that the line writes: for rules that forbid, and not sure to be all. */
  readonly guessed: readonly FoundCommand[];
  /** Syntax that no rule with a wildcard covers and that is not harmless: a subshell, a command in the background. */
  readonly unusual: string | undefined;
  /** Why there may be commands that were not found. */
  readonly unclear: string | undefined;
  /** Text that was not taken apart at all. */
  readonly unread: string;
  /** The line may change how bash reads wildcards. */
  readonly wide: boolean;
}

const MAX_UNWRAP_DEPTH = 8;
/** Words looked at in all: a wrapper's words are those of what it runs once more, and its options may double them. */
const MAX_WORDS = 20_000;

type Inside = NonNullable<Unwrapped['elsewhere']>;

interface Search {
  /** Wildcards are read as widely as any option of bash can make them. */
  readonly wide: boolean;
  changesWildcards: boolean;
  readonly all: FoundCommand[];
  readonly guessed: FoundCommand[];
  ofVariable: boolean;
  words: number;
  unusual: string | undefined;
  unclear: string | undefined;
  unread: string;
}

let latest: FoundCommands | undefined;

/**
 * Every command that a command line would run, as far as it can be told without running it. The latest answer is kept: the tool,
 * the rules and the environment of a call ask about the same line.
 */
export function findCommands(text: string): FoundCommands {
  if (latest?.text !== text) latest = find(text);
  return latest;
}

function find(text: string): FoundCommands {
  const found = search(text, false);
  // what changes them may stand anywhere in the line, and in a loop also after what it changes
  const { commands, all, guessed, unusual, unclear, unread } = found.changesWildcards ? search(text, true) : found;
  return { text, commands, all, guessed, unusual, unclear, unread, wide: found.changesWildcards };
}

function search(text: string, wide: boolean): Search & { readonly commands: readonly FoundCommand[] } {
  const empty: Search = {
    ...{ wide, changesWildcards: false, all: [], guessed: [], ofVariable: false, words: 0 },
    ...{ unusual: undefined, unclear: undefined, unread: '' },
  };
  const commands = findInText(text, 0, empty);
  const scripts = writtenScripts(empty.all.map(({ part }) => part));
  const written = guessing(empty);
  for (const script of scripts) findInText(script, 1, written);
  return { ...empty, commands };
}

/** What is unclear in there says nothing about the line. */
function guessing(search: Search): Search {
  return { ...search, all: search.guessed };
}

const WILDCARD_VARIABLE = /^(?:GLOBIGNORE|BASHOPTS|SHELLOPTS|BASH_ENV|ENV)$/;

/** `shopt -s dotglob`, `bash -O dotglob`, `GLOBIGNORE=x`; other shells have wildcards of their own. */
function changesWildcards({ words: [head, ...words], assignments }: ShellPart): boolean {
  const name = commandName(head?.text ?? '');
  if (/^(?:shopt|setopt|unsetopt|emulate|zsh|ksh|mksh|fish)$/.test(name)) return true;
  const isNamed = words.some(({ text }) => WILDCARD_VARIABLE.test(text.split('=')[0] ?? ''));
  return (
    isNamed ||
    assignments.some((one) => WILDCARD_VARIABLE.test(one.name)) ||
    (name === 'set' && words.some(({ text }) => /^[-+]\w*o/.test(text))) ||
    (SHELLS.has(name) && words.some(({ text }) => /^[-+]\w*O/.test(text)))
  );
}

function widened(part: ShellPart): ShellPart {
  const widen = (word: ShellWord): ShellWord => (word.globs || word.expands ? { ...word, wide: true } : word);
  return {
    ...part,
    words: part.words.map(widen),
    redirects: part.redirects.map((one) => ({ ...one, target: widen(one.target) })),
  };
}

function findInText(text: string, depth: number, search: Search): FoundCommand[] {
  const split = splitCommand(text);
  search.unusual ??= split.unusual;
  search.unclear ??= split.unclear;
  search.unread += split.unread;
  return split.parts.map((part) => findInside(part, depth, search));
}

function findInside(given: ShellPart, depth: number, search: Search): FoundCommand {
  const part = search.wide ? widened(given) : given;
  search.changesWildcards ||= changesWildcards(part);
  const unwrapped = unwrapCommand(part);
  search.unclear ??= unwrapped.unclear;
  if (unwrapped.hidden !== undefined) search.unread += ANYTHING;
  const { variableScripts = [] } = unwrapped;
  const count = unwrapped.inner.length + unwrapped.scripts.length + variableScripts.length;
  search.words += part.words.length;
  const tooMuch = count > 0 && (depth >= MAX_UNWRAP_DEPTH || search.words > MAX_WORDS);
  if (tooMuch) search.unclear ??= 'too many commands run each other';
  if (unwrapped.elsewhere) findElsewhere(unwrapped.elsewhere, part, depth, search);
  const inner = tooMuch
    ? []
    : [
        ...unwrapped.inner.map((words) => findInside(innerPart(words, part, search), depth + 1, search)),
        ...unwrapped.scripts.flatMap((script) => findInText(script, depth + 1, search)),
        ...inVariables(variableScripts, depth, search),
      ];
  const { beyond = false, code = [] } = unwrapped;
  const found: FoundCommand = {
    part,
    inner,
    transparent: unwrapped.transparent && inner.length === 1,
    beyond,
    code,
    ofVariable: search.ofVariable,
  };
  search.all.push(found);
  return found;
}

function findElsewhere({ inner, scripts }: Inside, part: ShellPart, depth: number, search: Search): void {
  if (depth >= MAX_UNWRAP_DEPTH || search.words > MAX_WORDS) return;
  const guess = guessing(search);
  for (const words of inner) findInside(innerPart(words, part, guess), depth + 1, guess);
  for (const script of scripts) findInText(script, depth + 1, guess);
  search.words = guess.words;
}

function inVariables(scripts: readonly string[], depth: number, search: Search): FoundCommand[] {
  const before = search.ofVariable;
  search.ofVariable = true;
  const found = scripts.flatMap((script) => findInText(script, depth + 1, search));
  search.ofVariable = before;
  return found;
}

/** What is inside reads the same stdin, so a heredoc of `sudo bash` is bash's. */
function innerPart(words: readonly ShellWord[], { redirects, inputs }: ShellPart, search: Search): ShellPart {
  if (words[0]?.expands || words[0]?.globs) search.unclear ??= 'the name of a command in it is only known when it runs';
  return { words, assignments: [], redirects, inputs };
}
