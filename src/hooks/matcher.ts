import type { MessageMatcher } from '../schemas/hooks.ts';
import { attempt } from '../system/attempt.ts';
import type { EventRow } from './events/eventRow.ts';

const PLAIN_TEXT = { names: /^[A-Za-z0-9_\- ,|]*$/, bars: /^[A-Za-z0-9_|]*$/ } as const;
const SEPARATOR = { names: /[|,]/, bars: /\|/ } as const;

/** Tools that were renamed: the old name in settings still matches. */
const FORMER_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Agent', ['Task']],
  ['TaskStop', ['KillShell', 'KillBash']],
  ['TaskOutput', ['BashOutput', 'BashOutputTool', 'AgentOutputTool']],
]);

type MatcherFacts = Pick<EventRow, 'matcherSyntax' | 'matcherField' | 'alsoNamed'>;

/**
 * Whether a matcher lets a hook see an event: everything, a list of exact names, or an unanchored regular expression,
 * told apart by its characters. An invalid expression matches nothing.
 */
export function matcherAccepts(matcher: string, value: string, row: MatcherFacts): boolean {
  if (matcher === '' || matcher === '*') return true;
  const others = row.matcherField === 'tool_name' ? FORMER_NAMES.get(value) : row.alsoNamed.get(value);
  const names = [value, ...(others ?? [])];
  if (PLAIN_TEXT[row.matcherSyntax].test(matcher)) {
    const wanted = matcher.split(SEPARATOR[row.matcherSyntax]).map((name) => name.trim());
    return names.some((name) => wanted.includes(name));
  }
  const pattern = compilePattern(matcher, '');
  return pattern !== undefined && names.some((name) => pattern.test(name));
}

/** Whether the text of the last message has the pattern; no text, no match. */
export function messageAccepts(matcher: MessageMatcher, text: string | undefined): boolean {
  if (text === undefined) return false;
  const pattern = compilePattern(matcher.pattern, matcher.caseSensitive ? '' : 'i');
  return pattern?.test(text) ?? false;
}

/** Undefined when it is not a regular expression. */
export const compilePattern = (pattern: string, flags: string): RegExp | undefined =>
  attempt(() => new RegExp(pattern, flags), undefined);

/** Whether the matcher would be read as a regular expression and is not one. */
export function isBrokenPattern(matcher: string, row: Pick<MatcherFacts, 'matcherSyntax'>): boolean {
  if (matcher === '*' || PLAIN_TEXT[row.matcherSyntax].test(matcher)) return false;
  return compilePattern(matcher, '') === undefined;
}

/** The files that a FileChanged matcher names: always literal. */
export function watchedNames(matcher: string | undefined): readonly string[] {
  return (matcher ?? '').split('|').filter((name) => name !== '');
}
