// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is shell
import { describe, expect, it } from 'vitest';
import { decidePermission } from './decidePermission.ts';
import type { PermissionFacts, PermissionRules } from './types.ts';

function decide(command: string, allow: readonly string[], more: Partial<PermissionFacts> = {}) {
  const rules: PermissionRules = { allow, ask: [], deny: [] };
  return decidePermission({
    toolName: 'Bash',
    request: { type: 'command', command },
    mode: 'default',
    rules,
    directories: ['/work/app'],
    projectDir: '/work/app',
    homeDir: '/home/ann',
    realPath: (path) => path,
    listFolder: () => ['a', 'b'],
    ...more,
  });
}

describe('a rule for all commands', () => {
  it.each([
    'echo "{}" > .claude/settings.json',
    'true && echo x >> .claude/settings.local.json',
    'cp fine .claude/settings.json',
    'cat fine | tee .claude/settings.json',
    'sed -i s/a/b/ .claude/settings.json',
    'sed --in-place=.bak s/a/b/ .claude/settings.json',
    'rm .claude/settings.json',
    'mv .claude/settings.json gone',
    'mkdir -p .claude/hooks',
    'cd .claude && echo x > settings.json',
    'd=.claude; touch $d/x',
    'd=".claude"; touch "${d}/x"',
    'touch "$PWD/.claude/x"',
    'touch src/../.claude/x',
    'timeout 5 touch .claude/x',
    'bash -c "touch .claude/x"',
    'echo x > .git/hooks/pre-commit',
    'echo x > ~/.bashrc',
    'echo x > ~/.claude/settings.json',
    'echo x > .mcp.json',
    'ln -s x .claude',
    'rm -rf .git',
    'rm -rf /',
    'rm -fr /*',
    'rm -rf /usr',
    'rm -r ~',
    'rm -rf ~/',
    'rm --recursive .',
    'rm -rf ..',
    'rm -rf *',
    'rm -rf ./*',
    'rm -rf $HOME',
    '/bin/rm -rf /home',
  ])('does not allow %s, nor does a hook', (command) => {
    expect(decide(command, ['Bash'])).toMatchObject({ type: 'ask', byRule: true });
    expect(decide(command, ['Bash'], { mode: 'acceptEdits' })).toMatchObject({ type: 'ask', byRule: true });
  });

  it.each([
    'cat .claude/settings.json',
    'cp .claude/settings.json copy.json',
    'sed -n 1p .github/workflows/ci.yml',
    'grep -r x .claude',
    'git add .claude/settings.json',
    'echo x > other.txt',
    'echo x > ../outside.txt',
    'rm -rf node_modules',
    'rm -rf /tmp/some/folder',
    'rm -rf build/*.o',
    'rm *',
    'echo "rm -rf /"',
  ])('allows %s', (command) => {
    expect(decide(command, ['Bash'])).toMatchObject({ type: 'allow' });
  });
});

it('takes the word of a rule that says this very command, and of bypassPermissions', () => {
  expect(decide('touch .claude/x', ['Bash(touch .claude/x)'])).toMatchObject({ type: 'allow' });
  expect(decide('touch .claude/x', ['Bash(touch *)'])).toMatchObject({ type: 'ask' });
  expect(decide('touch .claude/x', [], { mode: 'bypassPermissions' })).toMatchObject({ type: 'allow' });
});

it.each([
  ['Edit', 'ask'],
  ['Edit(**)', 'ask'],
  ['Edit(*)', 'ask'],
  ['Edit(.claude/**)', 'allow'],
  ['Edit(/.claude/settings.json)', 'allow'],
])('an edit of .claude/settings.json with the rule %s: %s', (rule, type) => {
  const request = { type: 'edit', path: '/work/app/.claude/settings.json' } as const;
  const decision = decide('', [rule], { toolName: 'Write', request });
  expect(decision).toMatchObject(type === 'ask' ? { type, byRule: true } : { type });
});
