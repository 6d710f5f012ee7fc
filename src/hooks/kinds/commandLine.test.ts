import { describe, expect, it } from 'vitest';
import { commandLine, shellFor } from './commandLine.ts';

describe('shellFor', () => {
  it.each([
    ['/root/hook.sh stop', 'sh'],
    ['npm test', 'sh'],
    ['node --test=x a.js', 'sh'],
    ['exit 2', 'sh'],
    ['source ./env', 'bash'],
    ['echo "a\\nb"', 'bash'],
    ['[[ -e x ]]', 'bash'],
    ['cat <(ls)', 'bash'],
    ['a && b', 'bash'],
    ['$CLAUDE_PROJECT_DIR/hook.sh', 'bash'],
    ['rm *.tmp', 'bash'],
    ['~/hook', 'bash'],
    ['a\nb', 'bash'],
    ['echo {a,b}', 'bash'],
  ])('%j is run by %s', (command, shell) => {
    expect(shellFor(command)).toBe(shell);
  });
});

describe('commandLine', () => {
  const placeholder = (name: string) => `\${${name}}`;
  const project = placeholder('CLAUDE_PROJECT_DIR');
  it('pastes a plain path into a script and leaves any other to the shell', () => {
    const hook = { type: 'command', command: `'${project}/x' "$y"` } as const;
    expect(commandLine(hook, { projectDir: '/home/me/proj' }).args).toEqual(['--norc', '-c', `'/home/me/proj/x' "$y"`]);
    expect(commandLine(hook, { projectDir: '/tmp/$(touch x)' }).args).toEqual(['--norc', '-c', `'${project}/x' "$y"`]);
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

  it('uses PowerShell where it is asked for', () => {
    expect(commandLine({ type: 'command', command: 'Get-Date', shell: 'powershell' }, { projectDir: '/' }).file).toBe(
      'pwsh',
    );
  });
});
