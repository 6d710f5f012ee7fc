import { commandPattern, literalCommand, patternCovers } from './commandPattern.ts';
import { exactRules } from './exactRules.ts';
import type { FactsOf, Judge } from './judge.ts';
import type { Rule } from './parseRule.ts';
import { toolMatches } from './toolMatches.ts';

function contentMatches({ content }: Rule, facts: FactsOf<'free' | 'other'>, whenUnknown: boolean): boolean {
  if (content === undefined) return true;
  const said = facts.request.content;
  // A final `:*` is a command's blank-and-anything; here, as in `domain:*`, the colon is a colon.
  const pattern = content.endsWith(':*') ? `${content}*` : content;
  return said === undefined ? whenUnknown : patternCovers(commandPattern(pattern), said);
}

const byName: Omit<Judge<'free' | 'other'>, 'standing'> = {
  restriction(rules, facts) {
    // A rule about part of a tool, when the call does not say which part it is: better held than missed.
    const rule = rules.find((rule) => toolMatches(rule, facts, true) && contentMatches(rule, facts, true));
    return rule && { rule, about: facts.toolName };
  },
  allowance(rules, facts) {
    const rule = rules.find((rule) => toolMatches(rule, facts, false) && contentMatches(rule, facts, false));
    return rule && `the rule "${rule.text}" allows it`;
  },
  suggestion: ({ toolName, request: { content } }) =>
    exactRules([{ toolName, content: content ? literalCommand(content) : undefined }]),
  describe: (facts) => facts.toolName,
};

/** Task lists and subagents: nothing outside the conversation is touched. */
export const judgeFree: Judge<'free'> = { ...byName, standing: () => ({ type: 'harmless' }) };

/** Tools we know nothing about, such as those of MCP servers. */
export const judgeOther: Judge<'other'> = {
  ...byName,
  standing: () => ({ type: 'risky', needed: 'no rule allows this tool' }),
};
