import { commandPaths, opensFile, SPEAKERS, startingFolders, useOf } from './commandPaths.ts';
import { type CommandPattern, commandPattern, patternCovers } from './commandPattern.ts';
import type { FactsOf } from './judge.ts';
import { isInside, pathMatches } from './matchPath.ts';
import type { Rule } from './parseRule.ts';
import { pathLookup } from './pathLookup.ts';
import { isProtectedPath } from './protectedPaths.ts';
import { namesOf, written } from './shell/commandTexts.ts';
import { isEditCommand } from './shell/editCommand.ts';
import { expandGlobs } from './shell/expandGlobs.ts';
import type { FoundCommand, FoundCommands } from './shell/findCommands.ts';
import { isHarmlessAlone, isHarmlessPrefix } from './shell/harmlessAssignments.ts';
import { type KnownVariables, knownVariables } from './shell/knownVariables.ts';
import { mayBeOption } from './shell/openWords.ts';
import { destinations, writtenBesides } from './shell/programWrites.ts';
import { isReadOnlyWords } from './shell/readOnlyCommand.ts';
import { trackedDenial } from './shell/searchedContent.ts';
import { patternOf, plainWord, type ShellRedirect, type ShellWord } from './shell/shellTypes.ts';
import { commandName } from './shell/unwrapCommand.ts';
import { toolMatches } from './toolMatches.ts';

interface Question {
  readonly facts: FactsOf<'command'>;
  readonly rules: readonly Rule[];
  readonly patterns: readonly CommandPattern[];
  readonly folders: readonly string[];
  /** Where `cd` itself may start. */
  readonly before: readonly string[];
  readonly variables: KnownVariables;
  /** Set for what another command runs: `timeout 5 touch a`. */
  readonly wrapped?: boolean;
}

/**
 * Why a command line may not run on these allow rules alone: the first part that neither a rule covers nor is
 * read-only. Undefined when there is none; without rules, undefined means that the line is harmless.
 */
export function commandObstacle(
  found: FoundCommands,
  rules: readonly Rule[],
  facts: FactsOf<'command'>,
): string | undefined {
  if (found.unclear !== undefined) return `it cannot be taken apart safely: ${found.unclear}`;
  if (found.unusual !== undefined) return found.unusual;
  const own = rules.filter((rule) => toolMatches(rule, facts, false));
  const patterns = own.flatMap(({ content }) => (content === undefined ? [] : [commandPattern(content)]));
  const variables = knownVariables(found.all);
  const [folders, before] = [startingFolders(found, facts), startingFolders({ text: '', all: found.all }, facts)];
  const question: Question = { facts, rules, patterns, variables, folders, before };
  return first(found.commands, (command) => obstacleOf(command, question));
}

function obstacleOf(command: FoundCommand, question: Question): string | undefined {
  return whyNotRun(command, question) ?? first(command.part.redirects, (redirect) => whyNotOpen(redirect, question));
}

function whyNotRun(command: FoundCommand, question: Question): string | undefined {
  const { part } = command;
  if (part.words.length === 0) {
    const odd = part.assignments.find((assignment) => !isHarmlessAlone(assignment));
    if (odd) return `it sets ${odd.name}, which can change what other commands do`;
    const hidden = question.rules.length === 0 && part.assignments.find(({ value }) => value.expands);
    return hidden ? `what it sets ${hidden.name} to is only known when it runs` : undefined;
  }
  const names = namesOf(part);
  const covering = question.patterns.filter((pattern) => names.some((name) => patternCovers(pattern, name)));
  if (covering.length > 0) return whyNotCovered(command, covering, question);
  const harmless = part.assignments.every(isHarmlessPrefix);
  if (harmless && command.transparent) {
    const inner = first(command.inner, (one) => obstacleOf(one, { ...question, wrapped: true }));
    return inner ?? whyNotWritten(command, question);
  }
  const text = written(part.words);
  if (question.facts.mode === 'acceptEdits' && !question.wrapped && isEditCommand(command)) {
    return whyNotEdit(command, question);
  }
  if (!harmless || !(isReadOnlyWords(part.words) || isMove(command))) return `no rule allows "${text}"`;
  return whyNotRead(command, isMove(command) ? { ...question, folders: question.before } : question);
}

/**
 * A rule with a wildcard covers a command, but not what an option makes it run or write: `Bash(find *)` is not a rule for
 * `find -exec rm`. A rule that spells the option out is.
 */
function whyNotCovered(
  command: FoundCommand,
  covering: readonly CommandPattern[],
  question: Question,
): string | undefined {
  if (covering.some(({ pieces }) => pieces.length === 1)) return undefined;
  const [head, ...words] = command.part.words;
  const name = commandName(head?.text ?? '');
  const options = words.filter(({ text }) => text.startsWith('-')).map(({ text }) => text.split('=')[0] ?? '');
  const spelled = (option: string) => covering.some(({ pieces }) => pieces.some((piece) => piece.includes(option)));
  const open = mayBeOption(command, question.variables);
  if (open) return `"${open.raw}" may turn out to be an option of ${name} when it runs`;
  if (command.beyond && !options.some((option) => option.length > 1 && spelled(option))) {
    const inner = first(command.inner, (one) => obstacleOf(one, { ...question, wrapped: true }));
    if (inner !== undefined) return inner;
  }
  return whyNotWritten(command, question);
}

/** Files that an option makes a program write: `/usr/bin/time -o file`. */
function whyNotWritten({ part: { words } }: FoundCommand, question: Question): string | undefined {
  const name = commandName(words[0]?.text ?? '');
  const written = writtenBesides(name, words.slice(1));
  const { open } = pathLookup(question.facts);
  // what it is there to write may lie anywhere in the open folders
  const outside = destinations(name, words.slice(1)).filter(({ text, expands }) => {
    const places = question.folders.flatMap((folder) => pathLookup(question.facts).places(folder, text));
    return !expands && !places.every((path) => isInside(path, open));
  });
  return first([...written, ...outside], (target) => whyNotOpen({ operator: '>', target }, question));
}

function isMove({ part }: FoundCommand): boolean {
  return part.words.length === 2 && part.words[0]?.text === 'cd' && !part.words[1]?.text.startsWith('-');
}

/** What acceptEdits accepts of a command: files inside the open folders that decide nothing about what runs. */
function whyNotEdit(command: FoundCommand, { folders, facts }: Question): string | undefined {
  const { open } = pathLookup(facts);
  const paths = commandPaths({ ...command.part, redirects: [] }, folders, facts);
  const odd = paths.find(
    ({ path, any }) => any || !isInside(path, open) || open.includes(path) || isProtectedPath(path, open),
  );
  return odd && `it changes ${odd.path}, which accepting edits does not cover`;
}

/** A command that only reads is free as long as it reads what may be read without asking. */
function whyNotRead(command: FoundCommand, { folders, facts }: Question): string | undefined {
  const hidden = command.part.words.find(({ text, expands }) => expands || /^~[^/]/.test(text));
  if (hidden) return `what "${hidden.raw}" names is only known when it runs`;
  const words = command.part.words.map(({ text }) => text);
  const denial = trackedDenial(words, () => folders.map(pathLookup(facts).tracked), facts);
  if (denial) return `it may show what the deny rule "${denial.text}" is about`;
  const part = { ...command.part, words: listingWords(command.part.words), redirects: [] };
  const paths = commandPaths(part, folders, facts);
  const { open } = pathLookup(facts);
  const disguised = command.part.words.find((word) => word.globs && mayMatchOption(word, folders, facts));
  if (disguised) return `"${disguised.raw}" matches a file whose name looks like an option`;
  const outside = paths.find(({ path, any }) => any || (path !== '/dev/null' && !isInside(path, open)));
  if (outside?.any) return 'it has more wildcards than can be looked up';
  return outside && `it names ${outside.path}, outside the open folders`;
}

/** What a command only prints is text, but bash lists a folder for its wildcards: `echo /etc/*`. */
function listingWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const speaks = SPEAKERS.has(words[0]?.text ?? '') && words.some(({ globs }) => globs);
  return speaks ? [plainWord('ls'), ...words.slice(1).filter(({ globs }) => globs)] : words;
}

/** `grep x *` in a folder with a file called `-R`. */
function mayMatchOption(word: ShellWord, folders: readonly string[], facts: FactsOf<'command'>): boolean {
  const { text, wide = false } = word;
  if (text === '[' || text === '[[' || !/^[*?[{-]/.test(text)) return false;
  return folders.some((folder) => {
    const [, ...names] = expandGlobs(patternOf(word), folder, pathLookup(facts).names, { wide }) ?? ['', '-'];
    return names.some((name) => name.startsWith('-'));
  });
}

function whyNotOpen(redirect: ShellRedirect, { rules, folders, facts }: Question): string | undefined {
  if (!opensFile(redirect)) return undefined;
  const { target } = redirect;
  const use = useOf(redirect);
  const refusal = `it ${use === 'write' ? 'writes to' : 'reads'} ${target.raw}`;
  if (target.expands || target.globs) return `${refusal}, which is only known when it runs`;
  const part = { words: [], assignments: [], inputs: [], redirects: [redirect] };
  const paths = commandPaths(part, folders, facts).map(({ path }) => path);
  const { open } = pathLookup(facts);
  const inside = paths.every((path) => isInside(path, open));
  if (use === 'read' && inside) return undefined;
  const safe = inside && !paths.some((path) => isProtectedPath(path, open));
  if (use === 'write' && safe && facts.mode === 'acceptEdits') return undefined;
  const names = use === 'write' ? ['Edit'] : ['Read', 'Edit'];
  const ruled = paths.every((path) => rules.some((rule) => names.includes(rule.toolName) && coversFile(rule, path)));
  return ruled ? undefined : refusal;

  function coversFile({ content }: Rule, path: string): boolean {
    if (content === undefined) return safe;
    return pathMatches({ pattern: content, path, places: facts, strict: false });
  }
}

function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  return items
    .values()
    .map(find)
    .find((found) => found !== undefined);
}
