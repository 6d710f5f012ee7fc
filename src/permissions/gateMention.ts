import { isAbsolute, join } from 'node:path';
import { type CommandPath, commandPaths, opensFile, startingFolders, useOf } from './commandPaths.ts';
import type { FactsOf } from './judge.ts';
import { isInside } from './matchPath.ts';
import { pathLookup } from './pathLookup.ts';
import { GATE_FILE, ownWorktrees } from './protectedPaths.ts';
import type { FoundCommand, FoundCommands } from './shell/findCommands.ts';
import { isOpen, knownVariables, withValues } from './shell/knownVariables.ts';
import { isReadOnlyWords } from './shell/readOnlyCommand.ts';
import { namesIn } from './shell/sameRow.ts';
import { patternOf, plainWord, type ShellWord } from './shell/shellTypes.ts';
import { commandName } from './shell/unwrapCommand.ts';

/**
 * A path below Stopgate's home that a command line names anywhere, also in a program of another language, unless all of the
 * line is known to only read. Too many programs write a file that they are given to know them all: `sort -o`,
 * `git config -f`, `curl -o`, a link or a variable of the same line.
 */
export function gateMention(found: FoundCommands, facts: FactsOf<'command'>): string | undefined {
  const known = knownVariables(found.all);
  const commands = found.all.map((command) => withValues(command, known));
  const folders = startingFolders({ text: found.text, all: commands }, facts);
  const { open } = pathLookup(facts);
  const homes = [join(facts.homeDir, '.stopgate'), ...(facts.gateFiles ?? []).filter((file) => isAbsolute(file))];
  const isHome = ({ path }: CommandPath) => isHomePath(path, open, homes);
  const mentioned = commands.flatMap(mentions).find(isHome)?.path;
  if (mentioned === undefined) return undefined;
  return found.unclear === undefined && commands.every(reads) ? undefined : mentioned;

  function mentions({ part, code }: FoundCommand): readonly CommandPath[] {
    const { words, assignments, redirects, inputs } = part;
    const values = [...words, ...assignments.map(({ value }) => value), ...redirects.map(({ target }) => target)];
    const texts = [...values.flatMap(textsOf), ...inputs.map(({ text }) => text), ...code];
    const named = texts.flatMap((text) => text.match(NAMED) ?? []).slice(0, MAX_NAMED);
    const all = { ...part, words: [plainWord('cat'), ...named.map(plainWord)], redirects: [] };
    return [...commandPaths(part, folders, facts), ...commandPaths(all, folders, facts)];
  }

  function reads({ part, inner, transparent }: FoundCommand): boolean {
    const { words, redirects } = part;
    const isHidden = redirects.some((one) => opensFile(one) && useOf(one) === 'write' && isOpen(one.target, known));
    return !isHidden && ((transparent && inner.length > 0) || onlyReads(words));
  }
}

/** A project may have a folder `.stopgate` too, or itself lie in a worktree there. */
function isHomePath(path: string, open: readonly string[], homes: readonly string[]): boolean {
  if (isInside(path, homes)) return !isInside(path, ownWorktrees(open, homes));
  return !isInside(path, open) && /(?:^|\/)\.stopgate(?:\/|$)/i.test(path);
}

/** A program of another language that would change the gate's configuration, by its text. */
export function gateProgram(found: FoundCommands): string | undefined {
  const writes = found.all.some(({ code }) => code.some((text) => text.includes(GATE_FILE) && WRITES.test(text)));
  return writes ? GATE_FILE : undefined;
}
const WRITES =
  /write|truncate|unlink|remove|rename|replace\(|copy|symlink|\brm|\bmv|dump\(|>>?\s*["'(]|\bw\s|,\s*["'][rb]?[wax+]|mode\s*=/i;

const textsOf = (word: ShellWord) => [word.text, patternOf(word)];

/** What in a text may be a path below the home. */
const NAMED = /[~$\w{}./@+-]*\.stopgate[\w./@+-]*/gi;
const MAX_NAMED = 200;

/** Programs without an option that writes a file, whatever their words come out as. */
const READERS = namesIn(
  'cat head tail ls stat wc grep egrep fgrep jq diff du test [ [[ echo cd pwd true false : stopgate basename dirname realpath readlink',
);
/** Those with one. */
const UNLESS: Readonly<Record<string, RegExp>> = {
  less: /^-[^-]*[oO]|^--(?:log|LOG)|^\+/,
  rg: /^--(?:pre|hostname-bin)/,
  file: /^-[^-]*[Cz]|^--(?:c|u)/,
  printf: /^-v/,
};
/** Commands of git that write only into its own folder. */
const GIT_READERS = namesIn('add commit status log diff show blame ls-files');

function onlyReads(words: readonly ShellWord[]): boolean {
  const [head, ...args] = words;
  if (head === undefined || isReadOnlyWords(words)) return true;
  if (head.expands || head.globs) return false;
  const name = commandName(head.text);
  if (READERS.has(name)) return true;
  const [first] = args;
  if (name === 'git') return GIT_READERS.has(first?.text ?? '') && !args.some(({ text }) => /^--(?:o|ext)/.test(text));
  const without = Object.hasOwn(UNLESS, name) ? UNLESS[name] : undefined;
  return without !== undefined && !args.some(({ text }) => without.test(text));
}
