import { type CommandPath, commandPaths, opensFile, SPEAKERS, startingFolders, useOf } from './commandPaths.ts';
import {
  type CommandPattern,
  commandPattern,
  patternCovers,
  patternIsMentioned,
  patternMayCover,
  patternWordsOccur,
} from './commandPattern.ts';
import { fileQuestion } from './fileQuestion.ts';
import type { FactsOf, Restriction } from './judge.ts';
import { builtInNamed, type Rule } from './parseRule.ts';
import { pathLookup } from './pathLookup.ts';
import { disguisesOf, withoutLeadingOptions, written } from './shell/commandTexts.ts';
import type { FoundCommand, FoundCommands } from './shell/findCommands.ts';
import { mayBeAlias } from './shell/gitSynonyms.ts';
import { knownVariables, withValues } from './shell/knownVariables.ts';
import { plainWord, type ShellPart } from './shell/shellTypes.ts';
import { commandName } from './shell/unwrapCommand.ts';
import { toolMatches } from './toolMatches.ts';

type CommandFacts = FactsOf<'command'>;

/** The first rule that forbids (or wants asked) anything that the command line would run or open. */
export function restrictCommand(
  rules: readonly Rule[],
  found: FoundCommands,
  facts: CommandFacts,
): Restriction | undefined {
  for (const rule of rules) {
    const about = toolMatches(rule, facts, true) ? aboutCommand(rule, found) : aboutFile(rule, found, facts);
    if (about !== undefined) return { rule, about };
  }
  return undefined;
}

function aboutCommand(rule: Rule, found: FoundCommands): string | undefined {
  if (rule.content === undefined) return found.text;
  const pattern = commandPattern(rule.content);
  const named = [pattern, withBaseName(pattern)];
  const holds = (text: string) => named.some((one) => patternCovers(one, text));
  if (holds(found.text.trim())) return found.text;
  const commands = [...found.all, ...found.guessed].filter(({ part }) => part.words.length > 0);
  const hit = commands.find(({ part }) => disguisesOf(part).some(holds));
  if (hit) return written(hit.part.words);
  const hidden = commands.find(({ part }) => patternMayCover(pattern, part.words) || isOtherGit(pattern, part));
  if (hidden) return `${written(hidden.part.words)}, which may turn out to be just that when it runs`;
  const coded = commands.find(({ code }) => code.some((text) => patternWordsOccur(pattern, text)));
  if (coded) return `${written(coded.part.words)}, whose program mentions it`;
  if (found.unclear === undefined) return undefined;
  // What was not read may build any name: `$'\\x72m'` mentions nothing.
  if (!patternIsMentioned(pattern, found.text) && !/[$`*?[{\\]/.test(found.unread)) return undefined;
  return `${found.text}, which cannot be taken apart safely because ${found.unclear}`;
}

/** `git p` may be any git command, by an alias of the repository that the agent works in. */
function isOtherGit({ pieces: [first = ''] }: CommandPattern, { words }: ShellPart): boolean {
  const [head = '', ...rest] = words.map(({ text }) => text);
  return /^git\s/.test(first) && mayBeAlias([commandName(head), ...withoutLeadingOptions('git', rest)]);
}

/** A rule about `/bin/rm` is about rm. */
function withBaseName(pattern: CommandPattern): CommandPattern {
  const [first = '', ...rest] = pattern.pieces;
  return { ...pattern, pieces: [first.replace(/^\S*\//, ''), ...rest] };
}

/**
 * Rules on files hold for every word that names one, unless the rule is about writing and the command is known to only
 * read. Variables count with the values that the line gives them.
 */
function aboutFile(rule: Rule, found: FoundCommands, facts: CommandFacts): string | undefined {
  const name = builtInNamed(rule.toolName);
  const use = name === 'Read' ? 'read' : name === 'Edit' || name === 'Write' ? 'write' : undefined;
  if (use === undefined) return undefined;
  if (rule.content === undefined) return use === 'write' ? firstWrite(found) : undefined;
  const variables = knownVariables(found.all);
  const commands = found.all.map((command) => withValues(command, variables));
  const folders = startingFolders({ text: found.text, all: commands }, facts);
  const lookup = pathLookup(facts);
  const places = { ...facts, directories: lookup.open };
  const line = commands.map(({ part }) => part);
  const about = fileQuestion({ pattern: rule.content, use, places, lookup, start: folders, line });
  const hit =
    commands.find(({ part }) => commandPaths(part, folders, facts).some((path) => about.concerns(path, part))) ??
    commands.find(({ part }) => about.reaches(part, commandPaths(part, folders, facts))) ??
    commands.find(({ part, code }) => textPaths(part, code, folders, facts).some(({ path }) => about.names(path))) ??
    commands.find(({ part }) => about.mayConcern(part, spokenPaths(commands, folders, facts)));
  if (hit) return written(hit.part.words) || found.text;
  // what cannot be taken apart may do anything with a file that it mentions
  if (found.wide && found.unclear !== undefined && /[?*+@!]\(/.test(found.text))
    return `${found.text}, whose wildcards cannot be looked up`;
  const [any] = found.unclear === undefined ? [] : commands;
  const mentioned = any && textPaths(any.part, [found.text], folders, facts).some(({ path }) => about.names(path));
  return mentioned ? `${found.text}, which mentions it and cannot be taken apart safely` : undefined;
}

/** Paths that stand somewhere in a text: in a program of another language, in what is printed. */
function textPaths(
  part: ShellPart,
  texts: readonly string[],
  folders: readonly string[],
  facts: CommandFacts,
): readonly CommandPath[] {
  // `${f:-.env}` has `-.env` in it
  const words = texts
    .flatMap((text) => text.match(PATH_LIKE) ?? [])
    .map((word) => word.replace(/^[-+]+/, ''))
    .slice(0, 200);
  return commandPaths({ ...part, words: [plainWord('cat'), ...words.map(plainWord)], redirects: [] }, folders, facts);
}

/** What is printed or handed over may come back as a word: `cat $(echo .env)`, `xargs cat <<< .env`, `cat ${f:-.env}`. */
function spokenPaths(
  commands: readonly FoundCommand[],
  folders: readonly string[],
  facts: CommandFacts,
): readonly CommandPath[] {
  return commands.flatMap(({ part }) => {
    const spoken = SPEAKERS.has(commandName(part.words[0]?.text ?? '')) ? part.words.slice(1) : [];
    const given = part.redirects.flatMap(({ operator, target }) => (operator === '<<<' ? [target] : []));
    const built = [...part.words, ...part.redirects.map(({ target }) => target)].filter(({ expands }) => expands);
    const texts = [...spoken, ...given, ...built, ...part.inputs].map(({ text }) => text);
    return textPaths(part, texts, folders, facts);
  });
}
const PATH_LIKE = /[~\w./@+-]*[./][~\w./@+-]*/g;

function firstWrite(found: FoundCommands): string | undefined {
  const redirects = found.all.flatMap(({ part }) => part.redirects);
  const write = redirects.find((redirect) => opensFile(redirect) && useOf(redirect) === 'write');
  return write && `writing to ${write.target.raw}`;
}
