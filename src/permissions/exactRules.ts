import { parseRule } from './parseRule.ts';
import { splitToolList } from './splitToolList.ts';

interface ExactRule {
  readonly toolName: string;
  /** With its wildcards escaped; undefined for a rule on the whole tool. */
  readonly content: string | undefined;
}

/**
 * The texts of rules that are about one call and no other. None when a text would not come back out of `--allowedTools` or
 * a settings file as it went in: the agent words its calls, and `x),Bash,(y` must not become a rule of its own.
 */
export function exactRules(rules: readonly ExactRule[]): readonly string[] {
  const texts = rules.map(({ toolName, content }) => (content === undefined ? toolName : `${toolName}(${content})`));
  // a parenthesis that is left open would take in what follows
  const split = splitToolList([...texts, 'Next'].join(','));
  const isExact = rules.every(({ toolName, content }, at) => {
    const text = texts[at] ?? '';
    const { rule } = parseRule(text);
    return !/[\n"`]/.test(text) && split[at] === text && rule?.toolName === toolName && rule.content === content;
  });
  return isExact && split.length === texts.length + 1 ? texts : [];
}
