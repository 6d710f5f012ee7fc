import { describe, expect, it } from 'vitest';
import { parseRule } from './parseRule.ts';

describe('parseRule', () => {
  it.each([
    ['Bash', { toolName: 'Bash' }],
    ['Bash()', { toolName: 'Bash' }],
    ['Bash(*)', { toolName: 'Bash' }],
    [' Bash(git *) ', { toolName: 'Bash', content: 'git *' }],
    ['Bash(echo (a))', { toolName: 'Bash', content: 'echo (a)' }],
    ['Bash(a\nb)', { toolName: 'Bash', content: 'a\nb' }],
    ['WebFetch(domain:example.com)', { toolName: 'WebFetch', content: 'domain:example.com' }],
    ['mcp__server__tool', { toolName: 'mcp__server__tool' }],
    ['SomeTool', { toolName: 'SomeTool' }],
  ])('reads %j', (text, expected) => {
    const { rule, problem } = parseRule(text);
    expect(rule).toEqual({ text: text.trim(), ...expected });
    expect(problem).toBeUndefined();
  });

  it.each(['', '(x)', 'Bash(rm *', 'Bash rm', 'Bash(a) b', `Bash(${'x'.repeat(3000)})`])('refuses %j', (text) => {
    const { rule, problem } = parseRule(text);
    expect(rule).toBeUndefined();
    expect(problem).toMatch(/it is ignored$/);
  });

  it('hints at the name that was meant', () => {
    expect(parseRule('bash(git *)')).toMatchObject({
      rule: { toolName: 'bash', content: 'git *' },
      problem: expect.stringContaining('write Bash'),
    });
  });

  it('warns of a path that would take too long to match', () => {
    expect(parseRule('Read(**/a/**/b/**/c/**/d)').problem).toContain('too many wildcards');
    expect(parseRule('Bash(*a*b*c*d*e)').problem).toBeUndefined();
  });
});
