import { describe, expect, it } from 'vitest';
import { commandLine, strayPlaceholder } from './commandLine.ts';

describe('the shell', () => {
  it.each([
    [undefined, '/bin/sh', ['-c', '[[ -e x ]]']],
    ['bash', 'bash', ['--norc', '-c', '[[ -e x ]]']],
  ] as const)('of an entry with shell %j is %s', (shell, file, args) => {
    const entry = { type: 'command', command: '[[ -e x ]]', ...(shell && { shell }) } as const;
    expect(commandLine(entry, { projectDir: '/' })).toEqual({ file, args });
  });
});

describe('strayPlaceholder', () => {
  const named = '$' + '{CLAUDE_PLUGIN_ROOT}/x';
  it('names a placeholder of plugins in an entry that no plugin brought', () => {
    expect(strayPlaceholder({ type: 'command', command: named })).toMatch(/names \$\{CLAUDE_PLUGIN_ROOT\}/);
    expect(strayPlaceholder({ type: 'command', command: 'x', args: [named] })).toMatch(/CLAUDE_PLUGIN_ROOT/);
  });
  it('has nothing against it in a plugin, nor against a variable that the shell expands', () => {
    expect(strayPlaceholder({ type: 'command', command: named }, { root: '/p', dataDir: '/d' })).toBeUndefined();
    expect(strayPlaceholder({ type: 'command', command: '$CLAUDE_PLUGIN_ROOT/x' })).toBeUndefined();
  });
});

describe('commandLine', () => {
  const placeholder = (name: string) => `\${${name}}`;
  const project = placeholder('CLAUDE_PROJECT_DIR');
  it('pastes a plain path into a script and leaves any other to the shell', () => {
    const hook = { type: 'command', command: `'${project}/x' "$y"` } as const;
    expect(commandLine(hook, { projectDir: '/home/me/proj' }).args).toEqual(['-c', `'/home/me/proj/x' "$y"`]);
    expect(commandLine(hook, { projectDir: '/tmp/$(touch x)' }).args).toEqual(['-c', `'${project}/x' "$y"`]);
  });

  it('fills the exec form whatever the path looks like', () => {
    const hook = {
      type: 'command' as const,
      command: `${project}/a b`,
      args: [`--in=${project}`, placeholder('OTHER')],
    };
    const places = { projectDir: '/tmp/$(x) y' };
    expect(commandLine(hook, places)).toEqual({
      file: '/tmp/$(x) y/a b',
      args: ['--in=/tmp/$(x) y', placeholder('OTHER')],
    });
  });

  it('knows a plugin and its options', () => {
    const plugin = { root: '/p', dataDir: '/d', options: { key: 'v' } };
    const args = ['CLAUDE_PLUGIN_ROOT', 'CLAUDE_PLUGIN_DATA', 'user_config.key'].map(placeholder);
    expect(commandLine({ type: 'command', command: 'x', args }, { projectDir: '/', plugin }).args).toEqual([
      '/p',
      '/d',
      'v',
    ]);
  });

  it('uses PowerShell when configured', () => {
    expect(commandLine({ type: 'command', command: 'Get-Date', shell: 'powershell' }, { projectDir: '/' }).file).toBe(
      'pwsh',
    );
  });
});
