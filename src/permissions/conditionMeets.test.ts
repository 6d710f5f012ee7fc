import { describe, expect, it } from 'vitest';
import { conditionMeets } from './conditionMeets.ts';
import type { PermissionRequest } from './types.ts';

const meets = (condition: string, toolName: string, request: PermissionRequest) =>
  conditionMeets(condition, {
    toolName,
    request,
    directories: ['/p'],
    projectDir: '/p',
    homeDir: '/h',
    realPath: (path) => path,
    listFolder: () => [],
  });
const bash = (condition: string, command: string) => meets(condition, 'Bash', { type: 'command', command });

describe('conditionMeets', () => {
  it('does not run a hook about another command because the command changes the gate', () => {
    expect(bash('Bash(git push *)', 'echo {} > stopgate.config.json')).toBe(false);
    expect(meets('Edit(*.md)', 'Edit', { type: 'edit', path: '/p/stopgate.config.json' })).toBe(false);
  });

  it.each([
    'echo $(date)',
    'echo "$(date)"',
    'echo `date`',
    "echo it\\'s $(date) it\\'s",
    `echo "it's $(date) it's"`,
    "echo 'a' $(date) 'b'",
    'echo <(true)',
    'cat <<EOF\nhi\nEOF',
    'for i in 1; do echo $i; done',
    'true; for i in 1; do echo $i; done',
    'case a in a) echo a;; esac',
    '{ echo a; }',
    'f() { echo f; }; f',
    `echo $\{HOME}`,
    "echo $'a'",
    '$X push',
    '$(echo git) push',
    'X=$(date) echo a',
    'echo "unclosed',
    'echo a > $(echo out)',
  ])('lets a hook about another command see %j', (command) => {
    expect(bash('Bash(git push *)', command)).toBe('unclear');
    expect(bash('Bash(git push)', command)).toBe('unclear');
  });

  it.each([
    "echo '$(date)'",
    'echo \\$x',
    'echo "a\\`b"',
    'echo $HOME',
    'X=1 echo a',
    'echo a | cat',
    '(echo a)',
    'cat <<< hi',
    'echo "for x in y"',
    'if true; then echo a; fi',
  ])('keeps a hook about another command from %j', (command) => {
    expect(bash('Bash(git push *)', command)).toBe(false);
  });

  it.each([
    ['Bash(git push *)', 'true && git push origin', true],
    ['Bash(git status)', "bash -c 'git status'", true],
    ['Bash', 'echo $(date)', true],
    ['bash(git *)', 'git push', false],
    ['Write(*)', 'echo a > out', false],
    ['not a rule (', 'git push', false],
  ])('%s and %j: %s', (condition, command, met) => {
    expect(bash(condition, command)).toBe(met);
  });

  it.each([
    ['Write(src/**)', true],
    ['Write', true],
    ['Edit(src/**)', false],
    ['Read(src/**)', false],
    ['write(src/**)', false],
  ])('%s and a Write: %s', (condition, met) => {
    expect(meets(condition, 'Write', { type: 'edit', path: '/p/src/a.ts' })).toBe(met);
  });

  it('knows former names and all tools of a server', () => {
    expect(meets('Task', 'Agent', { type: 'free' })).toBe(true);
    expect(meets('mcp__s', 'mcp__s__t', { type: 'other' })).toBe(true);
    expect(meets('mcp__s__*', 'mcp__s__t', { type: 'other' })).toBe(true);
    expect(meets('mcp__s', 'mcp__sx__t', { type: 'other' })).toBe(false);
  });
});
