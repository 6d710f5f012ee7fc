import { commandPaths, opensFile, startingFolders, useOf } from './commandPaths.ts';
import { type CommandPattern, commandPattern, patternCovers } from './commandPattern.ts';
import { isHarmless, namesOf, written } from './commandTexts.ts';
import { isEditCommand } from './editCommand.ts';
import type { FoundCommand, FoundCommands } from './findCommands.ts';
import type { FactsOf } from './judge.ts';
import { isInside, pathMatches } from './matchPath.ts';
import type { Rule } from './parseRule.ts';
import { pathLookup } from './pathLookup.ts';
import { isProtectedPath } from './protectedPaths.ts';
import { isReadOnlyCommand } from './readOnlyCommand.ts';
import { readDenial, searchesContent } from './searchedContent.ts';
import type { ShellRedirect } from './shellTypes.ts';
import { toolMatches } from './toolMatches.ts';

interface Question {
  readonly facts: FactsOf<'command'>;
  readonly rules: readonly Rule[];
  readonly patterns: readonly CommandPattern[];
  readonly folders: readonly string[];
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
  const own = rules.filter((rule) => toolMatches(rule, facts, false));
  const patterns = own.flatMap(({ content }) => (content === undefined ? [] : [commandPattern(content)]));
  const question: Question = { facts, rules, patterns, folders: startingFolders(found.all, facts) };
  return first(found.commands, (command) => obstacleOf(command, question));
}

function obstacleOf(command: FoundCommand, question: Question): string | undefined {
  return whyNotRun(command, question) ?? first(command.part.redirects, (redirect) => whyNotOpen(redirect, question));
}

function whyNotRun(command: FoundCommand, question: Question): string | undefined {
  const { part } = command;
  if (part.words.length === 0) {
    const odd = part.assignments.find((assignment) => !isHarmless(assignment));
    return odd && `it sets ${odd.name}, which can change what other commands do`;
  }
  if (namesOf(part).some((name) => question.patterns.some((pattern) => patternCovers(pattern, name)))) return undefined;
  const harmless = part.assignments.every(isHarmless);
  if (harmless && command.transparent)
    return first(command.inner, (inner) => obstacleOf(inner, { ...question, wrapped: true }));
  const text = written(part.words);
  if (question.facts.mode === 'acceptEdits' && !question.wrapped && isEditCommand(command)) {
    return whyNotEdit(command, question);
  }
  if (!harmless || !(isReadOnlyCommand(text) || isMove(command))) return `no rule allows "${text}"`;
  return whyNotRead(command, question);
}

function isMove({ part }: FoundCommand): boolean {
  return part.words.length === 2 && part.words[0]?.text === 'cd' && !part.words[1]?.text.startsWith('-');
}

/** What acceptEdits accepts of a command: files inside the open folders that decide nothing about what runs. */
function whyNotEdit(command: FoundCommand, { folders, facts }: Question): string | undefined {
  const { open } = pathLookup(facts);
  const paths = commandPaths({ ...command, part: { ...command.part, redirects: [] } }, folders, facts);
  const odd = paths.find(
    ({ path, any }) => any || !isInside(path, open) || open.includes(path) || isProtectedPath(path, open),
  );
  return odd && `it changes ${odd.path}, which accepting edits does not cover`;
}

/** A command that only reads is free as long as it reads what may be read without asking. */
function whyNotRead(command: FoundCommand, { folders, facts }: Question): string | undefined {
  const hidden = command.part.words.find(({ text, expands }) => expands || /^~[^/]/.test(text));
  if (hidden) return `what "${hidden.raw}" names is only known when it runs`;
  const denial = readDenial(facts);
  if (denial && searchesContent(command.part.words.map(({ text }) => text))) {
    return `it may show what the deny rule "${denial.text}" is about`;
  }
  const paths = commandPaths({ ...command, part: { ...command.part, redirects: [] } }, folders, facts);
  const { open } = pathLookup(facts);
  const outside = paths.find(({ path, any }) => any || (path !== '/dev/null' && !isInside(path, open)));
  if (outside?.any) return 'it has more wildcards than can be looked up';
  return outside && `it names ${outside.path}, outside the open folders`;
}

function whyNotOpen(redirect: ShellRedirect, { rules, folders, facts }: Question): string | undefined {
  if (!opensFile(redirect)) return undefined;
  const { target } = redirect;
  const use = useOf(redirect);
  const refusal = `it ${use === 'write' ? 'writes to' : 'reads'} ${target.raw}`;
  if (target.expands || target.globs) return `${refusal}, which is only known when it runs`;
  const command: FoundCommand = {
    part: { words: [], assignments: [], inputs: [], redirects: [redirect] },
    inner: [],
    transparent: false,
  };
  const paths = commandPaths(command, folders, facts).map(({ path }) => path);
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
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
