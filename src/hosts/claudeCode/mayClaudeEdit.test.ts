import { expect, it } from 'vitest';
import { mayClaudeEdit } from './demand.ts';

it.each<[string, readonly string[] | null, string, boolean | null]>([
  ['a bare prompt', ['claude', '-p', 'why?'], 'default', false],
  ['the mode', ['claude', '-p', 'x'], 'acceptEdits', true],
  ['a list as one word', ['claude', '-p', 'x', '--allowedTools=Bash(npm test),Edit'], 'default', true],
  ['a list as several words', ['claude', '-p', 'x', '--allowed-tools', 'Bash(npm test)', 'Write'], 'default', true],
  ['a rule for one command', ['claude', '-p', 'x', '--allowedTools', 'Bash(npm test *)'], 'default', false],
  ['a rule that `ps` tore', ['claude', '-p', 'x', '--allowedTools', 'Bash(npm', 'test', '*)', 'Edit'], 'default', true],
  ['taken away again', ['claude', '--allowedTools', 'Edit', '--disallowedTools', 'Edit', '-p', 'x'], 'default', false],
  ['a program that answers', ['claude', '--permission-prompt-tool', 'stdio'], 'default', true],
  ['tools that only read', ['claude', '--tools', 'Read,Grep', '-p', 'x'], 'acceptEdits', false],
  ['an interpreter', ['claude', '-p', 'x', '--allowedTools', 'Bash(python3:*)'], 'default', true],
  [
    'an MCP tool beside tools that read',
    ['claude', '--tools', 'Read', '--allowedTools', 'mcp__fs__write_file'],
    'default',
    true,
  ],
  ['no tools', ['claude', '--tools=', '-p', 'x'], 'bypassPermissions', false],
  ['a command line that cannot be read', null, 'default', null],
  ['a command line that cannot be read, with a mode', null, 'acceptEdits', true],
])('%s', (_what, args, mode, may) => {
  expect(mayClaudeEdit({ mode, args, settings: [] })).toBe(may);
});

it('reads the rules of settings files', () => {
  const args = ['claude', '-p', 'x'];
  expect(mayClaudeEdit({ mode: 'default', args, settings: [{ allow: ['Edit'], deny: [] }] })).toBe(true);
  expect(mayClaudeEdit({ mode: 'default', args, settings: [{ allow: ['Edit'], deny: ['Edit'] }] })).toBe(false);
});
