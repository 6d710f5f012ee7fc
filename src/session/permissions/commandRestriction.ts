import { type CommandPath, commandPaths, opensFile, startingFolders, useOf } from './commandPaths.ts';
import {
  type CommandPattern,
  commandPattern,
  patternCovers,
  patternIsMentioned,
  patternMayCover,
} from './commandPattern.ts';
import { disguisesOf, written } from './commandTexts.ts';
import type { FoundCommands } from './findCommands.ts';
import type { FactsOf, Restriction } from './judge.ts';
import { pathMatches } from './matchPath.ts';
import { builtInNamed, type Rule } from './parseRule.ts';
import { pathLookup } from './pathLookup.ts';
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
  const commands = found.all.filter(({ part }) => part.words.length > 0);
  const hit = commands.find(({ part }) => disguisesOf(part).some(holds));
  if (hit) return written(hit.part.words);
  const hidden = commands.find(({ part }) => patternMayCover(pattern, part.words));
  if (hidden) return `${written(hidden.part.words)}, which may turn out to be just that when it runs`;
  if (found.unclear === undefined) return undefined;
  // What was not read may build any name: `$'\\x72m'` mentions nothing.
  if (!patternIsMentioned(pattern, found.text) && !/[$`*?[{\\]/.test(found.unread)) return undefined;
  return `${found.text}, which cannot be taken apart safely because ${found.unclear}`;
}

/** A rule about `/bin/rm` is about rm. */
function withBaseName(pattern: CommandPattern): CommandPattern {
  const [first = '', ...rest] = pattern.pieces;
  return { ...pattern, pieces: [first.replace(/^\S*\//, ''), ...rest] };
}

/** Rules on files hold for what a command opens, as far as its words tell. */
function aboutFile(rule: Rule, found: FoundCommands, facts: CommandFacts): string | undefined {
  const name = builtInNamed(rule.toolName);
  const use = name === 'Read' ? 'read' : name === 'Edit' || name === 'Write' ? 'write' : undefined;
  if (use === undefined) return undefined;
  if (rule.content === undefined) return use === 'write' ? firstWrite(found) : undefined;
  const pattern = rule.content;
  const folders = startingFolders(found.all, facts);
  const places = { ...facts, directories: pathLookup(facts).open };
  const concerns = (path: CommandPath) =>
    // A word of a command that writes may be read by it as well: `cp secret copy`.
    (path.use === use || (use === 'read' && !path.redirected)) &&
    (path.any || pathMatches({ pattern, path: path.path, places, strict: true }));
  const hit = found.all.find((command) => commandPaths(command, folders, facts).some(concerns));
  return hit && (written(hit.part.words) || found.text);
}

function firstWrite(found: FoundCommands): string | undefined {
  const redirects = found.all.flatMap(({ part }) => part.redirects);
  const write = redirects.find((redirect) => opensFile(redirect) && useOf(redirect) === 'write');
  return write && `writing to ${write.target.raw}`;
}
