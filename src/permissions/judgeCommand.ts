import { perObject } from '../system/perObject.ts';
import { commandObstacle } from './commandObstacle.ts';
import { literalCommand } from './commandPattern.ts';
import { restrictCommand } from './commandRestriction.ts';
import { exactRules } from './exactRules.ts';
import { gateMention, gateProgram } from './gateMention.ts';
import { guardedWrite, writtenPath } from './guardedWrite.ts';
import { hiddenFile } from './hiddenFile.ts';
import type { FactsOf, Judge } from './judge.ts';
import { isInside } from './matchPath.ts';
import type { Rule } from './parseRule.ts';
import { isGatePath } from './protectedPaths.ts';
import { removedGate } from './removedGate.ts';
import { written } from './shell/commandTexts.ts';
import { findCommands } from './shell/findCommands.ts';
import { isReadOnlyCommand } from './shell/readOnlyCommand.ts';
import { toolMatches } from './toolMatches.ts';

type CommandFacts = FactsOf<'command'>;

/** One call is held against deny, ask and allow rules in turn; its command line is taken apart once. */
const takenApart = perObject((request: CommandFacts['request']) => findCommands(request.command));
const foundIn = ({ request }: CommandFacts) => takenApart(request);

export const judgeCommand: Judge<'command'> = {
  restriction: (rules, facts) => restrictCommand(rules, foundIn(facts), facts),
  allowance(rules, facts) {
    const own = rules.filter((rule) => toolMatches(rule, facts, false));
    const whole = own.find((rule) => rule.content === undefined || isAboutAll(rule, facts));
    if (whole) return `the rule "${whole.text}" allows it`;
    if (commandObstacle(foundIn(facts), rules, facts) !== undefined) return undefined;
    return 'every part of it is allowed by a rule or only reads';
  },
  standing(facts) {
    const obstacle = commandObstacle(foundIn(facts), [], facts);
    return obstacle === undefined ? { type: 'harmless' } : { type: 'risky', needed: obstacle };
  },
  guarded(rules, facts) {
    if (isNamed(rules, facts)) return undefined;
    return guardedWrite(foundIn(facts), facts) ?? hiddenFile(foundIn(facts), facts);
  },
  gatePath(rules, facts) {
    const isGate = (path: string, open: readonly string[]) => isGatePath(path, open, facts.gateFiles);
    if (isNamed(rules, facts)) return undefined;
    const found = foundIn(facts);
    return (
      writtenPath(found, facts, isGate) ??
      // a program that is not known may write what it is given
      writtenPath(found, facts, (path, open) => isInside(path, open) && isGatePath(path, open), ['either']) ??
      removedGate(found, facts) ??
      gateProgram(found) ??
      gateMention(found, facts)
    );
  },
  suggestion(facts) {
    const found = foundIn(facts);
    const parts = found.commands.map(({ part }) => written(part.words));
    const plain = found.unclear === undefined && found.unusual === undefined && found.commands.length > 1;
    const texts = plain ? parts : [facts.request.command.trim()];
    const needed = [...new Set(texts)].filter((text) => text !== '' && !isReadOnlyCommand(text));
    if (needed.some((text) => text.length > MOST_CHARACTERS)) return [];
    return exactRules(needed.slice(0, MOST_RULES).map((text) => ({ toolName: 'Bash', content: literalCommand(text) })));
  },
  describe: (facts) => `${facts.toolName} "${facts.request.command.trim()}"`,
};

/** More than this is not read, only agreed to. */
const MOST_RULES = 4;
const MOST_CHARACTERS = 120;

const isNamed = (rules: readonly Rule[], facts: CommandFacts) =>
  rules.some((rule) => toolMatches(rule, facts, false) && isAboutAll(rule, facts));

/** The rule says this very command line. */
function isAboutAll({ content }: Rule, { request }: CommandFacts): boolean {
  const text = request.command.trim();
  return content !== undefined && (content === text || unescaped(content) === text);
}

/** A rule that quotes a star, `ls \*.ts`, is about that very text. */
function unescaped(content: string): string {
  return /(?<!\\)\*/.test(content.replace(/\\\\/g, '')) ? '' : content.replace(/\\([*\\])/g, '$1');
}
