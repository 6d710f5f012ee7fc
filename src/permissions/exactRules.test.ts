import { describe, expect, it } from 'vitest';
import { decidePermission } from './decidePermission.ts';
import { suggestedUpdates } from './suggestedUpdates.ts';
import type { PermissionFacts, PermissionRequest } from './types.ts';

const PROJECT = '/work/app';
const decide = (request: PermissionRequest, allow: readonly string[] = [], toolName = 'Tool') =>
  decidePermission({
    toolName,
    request,
    mode: 'default',
    rules: { allow, ask: [], deny: [] },
    directories: [PROJECT],
    projectDir: PROJECT,
    homeDir: '/home/me',
    realPath: (path) => path,
    listFolder: () => [],
    trackedFiles: () => [],
  } satisfies PermissionFacts);

function asked(request: PermissionRequest, toolName?: string) {
  const decision = decide(request, [], toolName);
  if (decision.type !== 'ask') throw new Error('expected a question');
  return decision;
}

const command = (text: string): PermissionRequest => ({ type: 'command', command: text });
const edit = (name: string): PermissionRequest => ({ type: 'edit', path: `${PROJECT}/${name}` });

describe('the rules that a question offers', () => {
  it.each([
    ['parentheses the wrong way round', "touch 'x),Bash,(y'"],
    ['the same with blanks', "touch 'x) Bash (y'"],
    ['the same after a pair', "touch 'note (v1) x),Bash,(y'"],
    ['an open parenthesis', "touch 'x('"],
    ['a part with one, and another part', "touch 'x(' && touch 'y)'"],
    ['a quotation mark', 'touch "a b"'],
    ['a backtick', 'touch `date`'],
    ['two lines', 'touch a\ntouch "b'],
    ['a long text', `touch ${'a'.repeat(130)}`],
    ['only a redirection that needs one', 'ls; cat > x'],
  ])('are none for a command with %s', (_, text) => {
    const question = asked(command(text), 'Bash');
    expect(question).not.toHaveProperty('suggestion');
    expect(suggestedUpdates(question)).toEqual([]);
    expect(question.reason).toMatch(/add Bash \(.*this one allows every call\)/);
  });

  it('are a list, one for each part of a command', () => {
    const { suggestion } = asked(command("touch 'a (1)' && rm *.o"), 'Bash');
    expect(suggestion).toEqual(["Bash(touch 'a (1)')", 'Bash(rm \\*.o)']);
  });

  it.each([
    ['**', 'src/other.js'],
    ['*', 'other.js'],
    ['a*b', 'aXb'],
    ['a?b', 'aXb'],
    ['[ab]', 'a'],
    ['src/[id]/page.tsx', 'src/i/page.tsx'],
    ['{a,b}', 'a'],
    ['app/(group)/x.ts', 'app/group/x.ts'],
    ['(a|b)', 'a'],
    ['!a', 'b'],
  ])('are about the file %s alone', (name, other) => {
    const { suggestion = [] } = asked(edit(name));
    expect(suggestion).toHaveLength(1);
    expect(decide(edit(name), suggestion).type).toBe('allow');
    expect(decide(edit(other), suggestion).type).toBe('ask');
  });

  it.each([
    'x),Bash,(y',
    'x) Bash (y',
    'x(',
    'a"b',
    'a\nb',
    'a****************b',
    'a\\*b',
    'a\\b',
    'blank ',
    'x'.repeat(2_000),
  ])('are none for the file %j, which a rule cannot say', (name) =>
    expect(asked(edit(name))).not.toHaveProperty('suggestion'),
  );

  it('take a star of any other call for a star', () => {
    const said = (content: string): PermissionRequest => ({ type: 'other', content });
    const { suggestion = [] } = asked(said('domain:*'));
    expect(decide(said('domain:*'), suggestion).type).toBe('allow');
    expect(decide(said('domain:example.com'), suggestion).type).toBe('ask');
  });

  it.each(['mcp__x),Bash,(y', 'Bash,mcp__x'])('are none for a tool that is called %s', (name) => {
    expect(asked({ type: 'other' }, name)).not.toHaveProperty('suggestion');
  });
});
