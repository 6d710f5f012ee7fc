import { describe, expect, it } from 'vitest';
import { eventFacts } from './events/eventTable.ts';
import { isBrokenPattern, matcherAccepts, messageAccepts, watchedNames } from './matcher.ts';
import type { HookEventName } from './types.ts';

describe('matcherAccepts', () => {
  const cases: readonly [event: HookEventName, matcher: string, value: string, accepted: boolean][] = [
    ['PreToolUse', '', 'Bash', true],
    ['PreToolUse', '*', 'Bash', true],
    ['PreToolUse', 'Bash', 'Bash', true],
    ['PreToolUse', 'Bas', 'Bash', false],
    ['PreToolUse', 'bash', 'Bash', false],
    ['PreToolUse', 'Read|Bash', 'Bash', true],
    ['PreToolUse', 'Read, Bash', 'Bash', true],
    ['PreToolUse', 'Read | Bash', 'Bash', true],
    ['PreToolUse', 'my-tool', 'my-tool', true],
    ['PreToolUse', '^B.*h$', 'Bash', true],
    ['PreToolUse', 'B.*', 'NotBash', true],
    ['PreToolUse', '^B.*', 'NotBash', false],
    ['PreToolUse', '*Bash(', 'Bash', false],
    ['PreToolUse', 'mcp__memory', 'mcp__memory__store', false],
    ['PreToolUse', 'mcp__memory__.*', 'mcp__memory__store', true],
    ['PreToolUse', 'Task', 'Agent', true],
    ['PreToolUse', '^Task$', 'Agent', true],
    ['SubagentStop', 'Task', 'Agent', false],
    ['StopFailure', 'server_error', 'overloaded', true],
    ['StopFailure', 'overloaded', 'overloaded', true],
    ['StopFailure', 'overloaded', 'server_error', false],
    ['FileChanged', 'constructor', 'constructor', true],
    ['SubagentStop', '^my-plugin:reviewer$', 'my-plugin:reviewer', true],
    ['StopFailure', 'rate_limit|overloaded', 'rate_limit', true],
    ['StopFailure', 'rate_limit,overloaded', 'rate_limit', false],
    ['FileChanged', '.env', '.env', true],
    ['FileChanged', 'Makefile|package', 'Makefile', true],
    ['FileChanged', 'a-b', 'xa-by', true],
  ];
  it.each(cases)('%s: %j against %j is %s', (event, matcher, value, accepted) => {
    expect(matcherAccepts(matcher, value, eventFacts(event))).toBe(accepted);
  });

  it('knows a broken regular expression from a plain name', () => {
    expect(isBrokenPattern('*Bash(', eventFacts('PreToolUse'))).toBe(true);
    expect(isBrokenPattern('Bash', eventFacts('PreToolUse'))).toBe(false);
    expect(isBrokenPattern('*', eventFacts('PreToolUse'))).toBe(false);
    expect(isBrokenPattern('B.*', eventFacts('PreToolUse'))).toBe(false);
  });
});

describe('messageAccepts', () => {
  it.each([
    ['done|complete', false, 'All DONE now', true],
    ['done|complete', true, 'All DONE now', false],
    ['tests? passed', false, '3 tests passed', true],
    ['tests? passed', false, undefined, false],
    ['(', false, '(', false],
  ] as const)('%j (case sensitive: %s) on %j is %s', (pattern, caseSensitive, text, accepted) => {
    expect(messageAccepts({ pattern, caseSensitive, source: 'assistant' }, text)).toBe(accepted);
  });
});

it('watches the literal names of a FileChanged matcher', () => {
  expect(watchedNames('.env|Makefile|*')).toEqual(['.env', 'Makefile', '*']);
  expect(watchedNames(undefined)).toEqual([]);
});
