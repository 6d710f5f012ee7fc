import { describe, expect, it } from 'vitest';
import { decidePermission } from './decidePermission.ts';
import type { PermissionRequest } from './types.ts';

const decide = (toolName: string, request: PermissionRequest) =>
  decidePermission({
    toolName,
    request,
    mode: 'default',
    rules: { allow: [], ask: [], deny: [] },
    directories: ['/work/p'],
    projectDir: '/work/p',
    homeDir: '/home/ann',
    realPath: (path) => path,
    listFolder: () => [],
  });

/** `byRule`: what a PreToolUse hook's allow does not open. */
describe('what is guarded', () => {
  it.each([
    ['rm -rf /', true],
    ['rm -rf /etc', true],
    ['rm -rf ~', true],
    ['rm -rf "$HOME"', true],
    ['rm -rf .', true],
    ['rm -rf ..', true],
    ['rm -rf /work', true],
    ['sudo rm -rf /usr', true],
    ['cd / && rm -rf usr', true],
    ['true; rm -rf /work/p/../p', true],
    ['rm -rf build', false],
    ['rm -rf /var/tmp/x', false],
    ['touch /etc', false],
  ])('%s: %s', (command, guarded) => {
    expect(decide('Bash', { type: 'command', command })).toMatchObject(
      guarded ? { type: 'ask', byRule: true } : { type: 'ask' },
    );
    expect('byRule' in decide('Bash', { type: 'command', command })).toBe(guarded);
  });

  it.each([
    ['/work/p/.claude/settings.json', true],
    ['/work/p/.git/hooks/x', true],
    ['/work/p/src/a.ts', false],
    ['/work/outside.txt', false],
  ])('an edit of %s: %s', (path, guarded) => {
    expect('byRule' in decide('Write', { type: 'edit', path })).toBe(guarded);
  });
});
