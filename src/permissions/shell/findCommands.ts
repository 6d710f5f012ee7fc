import { ANYTHING, type ShellPart, type ShellWord } from './shellTypes.ts';
import { splitCommand } from './splitCommand.ts';
import { unwrapCommand } from './unwrapCommand.ts';

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
  /** Syntax that no rule with a wildcard covers and that is not harmless: a subshell, a command in the background. */
  readonly unusual: string | undefined;
  /** Why there may be commands that were not found. */
  readonly unclear: string | undefined;
  /** Text that was not taken apart at all. */
  readonly unread: string;
}

const MAX_UNWRAP_DEPTH = 8;
/** Words looked at in all: a wrapper's words are those of what it runs once more, and its options may double them. */
const MAX_WORDS = 20_000;

interface Search {
  readonly all: FoundCommand[];
  ofVariable: boolean;
  words: number;
  unusual: string | undefined;
  unclear: string | undefined;
  unread: string;
}

/** Every command that a command line would run, as far as it can be told without running it. */
export function findCommands(text: string): FoundCommands {
  const search: Search = { all: [], ofVariable: false, words: 0, unusual: undefined, unclear: undefined, unread: '' };
  const commands = findInText(text, 0, search);
  const { all, unusual, unclear, unread } = search;
  return { text, commands, all, unusual, unclear, unread };
}

function findInText(text: string, depth: number, search: Search): FoundCommand[] {
  const split = splitCommand(text);
  search.unusual ??= split.unusual;
  if (split.type === 'unclear') {
    search.unclear ??= split.reason;
    search.unread += split.unread;
  }
  return split.parts.map((part) => findInside(part, depth, search));
}

function findInside(part: ShellPart, depth: number, search: Search): FoundCommand {
  const unwrapped = unwrapCommand(part);
  search.unclear ??= unwrapped.unclear;
  if (unwrapped.hidden !== undefined) search.unread += ANYTHING;
  const { variableScripts = [] } = unwrapped;
  const inside = unwrapped.inner.length + unwrapped.scripts.length + variableScripts.length;
  search.words += part.words.length;
  const tooMuch = inside > 0 && (depth >= MAX_UNWRAP_DEPTH || search.words > MAX_WORDS);
  if (tooMuch) search.unclear ??= 'too many commands run each other';
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

function inVariables(scripts: readonly string[], depth: number, search: Search): FoundCommand[] {
  const before = search.ofVariable;
  search.ofVariable = true;
  const found = scripts.flatMap((script) => findInText(script, depth + 1, search));
  search.ofVariable = before;
  return found;
}

/** What is inside reads the same stdin, so a heredoc of `sudo bash` is bash's. */
function innerPart(words: readonly ShellWord[], { redirects, inputs }: ShellPart, search: Search): ShellPart {
  if (words[0]?.expands || words[0]?.globs) {
    search.unclear ??= 'the name of a command in it is only known when it runs';
  }
  return { words, assignments: [], redirects, inputs };
}
