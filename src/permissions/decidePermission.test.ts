import { describe, expect, it } from 'vitest';
import { decidePermission } from './decidePermission.ts';
import { PERMISSION_MODES, type PermissionFacts, type PermissionMode, type PermissionRequest } from './types.ts';

function facts(toolName: string, request: PermissionRequest, more: Partial<PermissionFacts> = {}): PermissionFacts {
  return {
    toolName,
    request,
    mode: 'default',
    rules: { allow: [], ask: [], deny: [] },
    directories: ['/work/app'],
    projectDir: '/work/app',
    homeDir: '/home/ann',
    ...more,
  };
}

const inside: PermissionRequest = { type: 'edit', path: '/work/app/src/a.ts' };
const outside: PermissionRequest = { type: 'edit', path: '/etc/hosts' };
const guarded: PermissionRequest = { type: 'edit', path: '/work/app/.claude/settings.json' };
const readInside: PermissionRequest = { type: 'read', path: '/work/app/src/a.ts' };
const readOutside: PermissionRequest = { type: 'read', path: '/etc/hosts' };

describe('modes without rules', () => {
  const table: [string, PermissionRequest, Record<PermissionMode, string>][] = [
    ['TaskList', { type: 'free' }, all('allow')],
    ['Read', readInside, all('allow')],
    ['Read', readOutside, { ...all('ask'), bypassPermissions: 'allow', dontAsk: 'deny' }],
    ['Edit', inside, modes('ask', 'allow', 'deny', 'allow', 'deny')],
    ['Edit', outside, modes('ask', 'ask', 'deny', 'allow', 'deny')],
    ['Edit', guarded, modes('ask', 'ask', 'deny', 'allow', 'deny')],
    ['mcp__a__b', { type: 'other' }, modes('ask', 'ask', 'deny', 'allow', 'deny')],
  ];
  it.each(table)('%s of %j', (toolName, request, expected) => {
    const decided = PERMISSION_MODES.map((mode) => [mode, decidePermission(facts(toolName, request, { mode })).type]);
    expect(Object.fromEntries(decided)).toEqual(expected);
  });
});

function all(type: string): Record<PermissionMode, string> {
  return modes(type, type, type, type, type);
}

function modes(...[normal = '', acceptEdits = '', plan = '', bypassPermissions = '', dontAsk = '']: string[]) {
  return { default: normal, acceptEdits, plan, bypassPermissions, dontAsk };
}

describe('rules on files', () => {
  it.each<[string, PermissionRequest, string]>([
    ['Edit', inside, 'Edit'],
    ['Write', inside, 'Edit(src/**)'],
    ['Write', inside, 'Write(src/**)'],
    ['Edit', inside, 'Edit(/src/a.ts)'],
    ['Edit', outside, 'Edit(//etc/hosts)'],
    ['Edit', guarded, 'Edit(.claude/**)'],
    ['Read', readOutside, 'Read'],
    ['Grep', readOutside, 'Read(//etc/**)'],
    ['Read', readOutside, 'Edit(//etc/**)'],
  ])('%s of %j runs on %s', (toolName, request, rule) => {
    const allow = { rules: { allow: [rule], ask: [], deny: [] } };
    expect(decidePermission(facts(toolName, request, allow))).toEqual({
      type: 'allow',
      reason: expect.stringContaining(rule),
    });
  });

  it.each<[string, PermissionRequest, string]>([
    ['Edit', inside, 'Write(src/**)'],
    ['Edit', inside, 'Read'],
    ['Edit', inside, 'edit'],
    ['Edit', inside, 'Edit(src/b.ts)'],
    ['Edit', guarded, 'Edit'],
    ['Read', readOutside, 'Edit'],
    ['Read', readOutside, 'Read(/etc/hosts)'],
    ['Edit', { ...inside, resolvedPath: '/etc/hosts' } as PermissionRequest, 'Edit(src/**)'],
  ])('%s of %j does not run on %s', (toolName, request, rule) => {
    const allow = { rules: { allow: [rule], ask: [], deny: [] } };
    expect(decidePermission(facts(toolName, request, allow)).type).toBe('ask');
  });

  it.each<[string, PermissionRequest, string]>([
    ['Edit', inside, 'Edit(src/**)'],
    ['Edit', inside, 'edit(src/**)'],
    ['Write', inside, 'Write'],
    ['Read', readInside, 'Read(/src/**)'],
    ['Glob', readInside, 'Read(src)'],
    ['Read', { type: 'read', path: '/work/app/src/../.env' }, 'Read(.env)'],
    ['Read', { type: 'read', path: '/work/app/link', resolvedPath: '/home/ann/.ssh/id' }, 'Read(~/.ssh/**)'],
    ['Read', { type: 'read', path: '/work/app/link', resolvedPath: '/work/app/x' }, 'Read(link)'],
    ['Read', { type: 'read', path: '.env' }, 'Read(.env)'],
  ])('%s of %j is forbidden by %s in every mode', (toolName, request, rule) => {
    for (const mode of PERMISSION_MODES) {
      const rules = { allow: [toolName, 'Edit', 'Read'], ask: [], deny: [rule] };
      expect(decidePermission(facts(toolName, request, { mode, rules }))).toEqual({
        type: 'deny',
        reason: expect.stringContaining(`"${rule}"`),
      });
    }
  });

  it.each([
    '.bash_aliases',
    '.gitattributes',
    'sub/.pre-commit-config.yaml',
    '.github/workflows/ci.yml',
    '.devcontainer/devcontainer.json',
  ])('does not take %s for an accepted edit', (name) => {
    const request: PermissionRequest = { type: 'edit', path: `/work/app/${name}` };
    expect(decidePermission(facts('Edit', request, { mode: 'acceptEdits' })).type).toBe('ask');
  });

  it('asks about a link that leads outside, and says where', () => {
    const link: PermissionRequest = { type: 'edit', path: '/work/app/link', resolvedPath: '/etc/hosts' };
    expect(decidePermission(facts('Edit', link, { mode: 'acceptEdits' }))).toMatchObject({
      type: 'ask',
      reason: expect.stringContaining('leads to /etc/hosts'),
    });
  });

  it.each<[PermissionRequest, string]>([
    [inside, 'Edit(/src/a.ts)'],
    [outside, 'Edit(//etc/hosts)'],
    [readOutside, 'Read(//etc/hosts)'],
  ])('says which rule would allow %j, and it does', (request, rule) => {
    const asked = decidePermission(facts('Tool', request));
    expect(asked).toMatchObject({ type: 'ask', reason: expect.stringContaining(`--allowedTools "${rule}"`) });
    expect(decidePermission(facts('Tool', request, { rules: { allow: [rule], ask: [], deny: [] } })).type).toBe(
      'allow',
    );
  });
});

describe('rules on names', () => {
  it.each([
    ['mcp__git__push', 'mcp__git__push', true],
    ['mcp__git__push', 'mcp__git', true],
    ['mcp__git__push', 'mcp__git__*', true],
    ['mcp__github__push', 'mcp__git', false],
    ['mcp__git__push', 'mcp__git__pull', false],
    ['Agent', 'Task', true],
    ['Agent', 'Agent', true],
    ['WebSearch', 'websearch', true],
  ])('%s is covered by %s: %s', (toolName, rule, expected) => {
    const rules = { allow: [], ask: [], deny: [rule] };
    const { type } = decidePermission(facts(toolName, { type: 'other' }, { rules, mode: 'bypassPermissions' }));
    expect(type).toBe(expected ? 'deny' : 'allow');
  });

  it('compares the content that a tool gives', () => {
    const fetch = (content: string) => ({ type: 'other', content }) as const;
    const rules = {
      allow: ['WebFetch(domain:*.example.com)'],
      ask: [],
      deny: ['Agent(Explore)', 'WebFetch(domain:b.*)'],
    };
    const decide = (toolName: string, request: PermissionRequest) =>
      decidePermission(facts(toolName, request, { rules })).type;
    expect(decide('WebFetch', fetch('domain:a.example.com'))).toBe('allow');
    expect(decide('WebFetch', fetch('domain:b.example.com'))).toBe('deny');
    expect(decide('WebFetch', fetch('domain:a.org'))).toBe('ask');
    expect(decide('Agent', { type: 'free', content: 'Explore' })).toBe('deny');
    expect(decide('Agent', { type: 'free', content: 'Plan' })).toBe('allow');
  });
});

describe('the gate of the agent itself', () => {
  const decide = (request: PermissionRequest, more: Partial<PermissionFacts> = {}) =>
    decidePermission(facts(request.type === 'command' ? 'Bash' : 'Edit', request, { cwd: '/work/app', ...more }));
  const command = (text: string): PermissionRequest => ({ type: 'command', command: text });

  it.each<[PermissionRequest]>([
    [{ type: 'edit', path: '/work/app/stopgate.config.json' }],
    [{ type: 'edit', path: '/home/ann/.stopgate/gates/frozen/s.json' }],
    [command(`echo '{"checks":[]}' > stopgate.config.json`)],
    [command('sed -i s/a/b/ ./stopgate.config.json')],
    [command('cp other.json stopgate.config.json')],
    [command('mv stopgate.config.json x')],
    [command('rm stopgate.config.json')],
    [command('ls && touch ~/.stopgate/off')],
    [command('rm -rf ~/.stopgate/gates')],
    [command('tee /home/ann/.stopgate/off')],
  ])('is not changed in any mode: %j', (request) => {
    for (const mode of PERMISSION_MODES) {
      const allow = mode === 'default' ? ['Bash', 'Edit'] : [];
      const decided = decide(request, { mode, rules: { allow, ask: [], deny: [] } });
      expect(decided.type, mode).toBe('deny');
      expect(decided.reason, mode).toMatch(/decides when this agent may stop|plan mode/);
    }
  });

  it.each<[string]>([['cat stopgate.config.json'], ['git diff stopgate.config.json'], ['ls ~/.stopgate']])(
    'may be read: %s',
    (text) => expect(decide(command(text), { mode: 'bypassPermissions' }).type).toBe('allow'),
  );

  it('is changed where a rule names it', () => {
    const rules = { allow: ['Edit(stopgate.config.json)'], ask: [], deny: [] };
    expect(decide({ type: 'edit', path: '/work/app/stopgate.config.json' }, { rules }).type).toBe('allow');
  });

  describe('of an agent in a worktree of Stopgate, while a gate stands before its stop', () => {
    const gateFiles = ['.claude/settings.json', '/home/ann/.stopgate'];
    const open = (folder: string) => ({ directories: [folder], projectDir: folder, cwd: folder, gateFiles });
    const worktree = '/home/ann/.stopgate/worktrees/app';
    const edit = (path: string): PermissionRequest => ({ type: 'edit', path });
    const decided = (request: PermissionRequest, folder: string) =>
      decide(request, { mode: 'bypassPermissions', ...open(folder) }).type;

    it.each([
      edit(`${worktree}/src/a.ts`),
      command('touch src/a.ts'),
      command('echo x > f'),
      command('ls | tee out.txt'),
      command(`mkdir -p ${worktree}/src && cp a ${worktree}/src/b`),
      command('rm -rf build'),
    ])('leaves it its own files: %j', (request) => expect(decided(request, worktree)).toBe('allow'));

    it.each([
      edit(`${worktree}/stopgate.config.json`),
      edit(`${worktree}/.claude/settings.json`),
      edit(`${worktree}/.stopgate/x`),
      edit('/home/ann/.stopgate/worktrees/other/src/a.ts'),
      edit('/home/ann/.stopgate/gates/frozen/s.json'),
      command('echo x > ../../gates/frozen/s.json'),
      command('echo x > ../other/a.ts'),
    ])('denies what is not its own: %j', (request) => expect(decided(request, worktree)).toBe('deny'));

    it.each(['/home/ann/.stopgate', '/home/ann/.stopgate/gates', '/home/ann/.stopgate/worktrees'])(
      'is not opened by a project in %s',
      (folder) => {
        expect(decided(edit(`${folder}/frozen/s.json`), folder)).toBe('deny');
        expect(decided(command('touch x'), folder)).toBe('deny');
        expect(decided(command(`sort -o ${folder}/x y`), folder)).toBe('deny');
      },
    );
  });
});
