import { describe, expect, it } from 'vitest';
import type { ConfiguredHook } from './configuredHook.ts';
import { eventFacts } from './events/eventTable.ts';
import { type SelectionFacts, selectHooks } from './select.ts';
import type { HookEventName } from './types.ts';

const command = (words: string, more: Partial<ConfiguredHook> = {}, settings = {}): ConfiguredHook => ({
  event: 'Stop',
  kind: 'command',
  label: words,
  source: 'project',
  file: 'settings.json',
  path: 'hooks.Stop[0].hooks[0]',
  ...more,
  settings: { type: 'command', command: words, ...settings } as ConfiguredHook['settings'],
});

const facts = (event: HookEventName, input = {}, more: Partial<SelectionFacts> = {}): SelectionFacts => ({
  row: eventFacts(event),
  input,
  matchesRule: () => false,
  lastText: () => undefined,
  spent: () => false,
  canRun: () => true,
  ...more,
});

const bash = { tool_name: 'Bash', tool_input: { command: 'git status' } };
const why = (hooks: readonly ConfiguredHook[], given: SelectionFacts) =>
  selectHooks(hooks, given).map((one) => (one.matched ? 'runs' : one.why));

describe('selectHooks', () => {
  it("runs an agent's hooks only while that agent does", () => {
    const own = command('x', { agent: 'checker' });
    const otherwise = 'it runs only while the agent "checker" does';
    expect(why([own], facts('Stop', { agent_type: 'checker' }))).toEqual(['runs']);
    expect(why([own], facts('Stop', { agent_type: 'Explore' }))).toEqual([otherwise]);
    expect(why([own], facts('Stop'))).toEqual([otherwise]);
  });

  it('runs the same command once, in two groups, with another timeout or as bash', () => {
    const other = command('x', { path: 'hooks.Stop[1].hooks[0]' }, { timeout: 5, type: 'bash' });
    expect(why([command('x'), command('x'), other, command('y')], facts('Stop'))).toEqual([
      'it is the same as hooks.Stop[1].hooks[0] in settings.json, which runs once',
      'it is the same as hooks.Stop[1].hooks[0] in settings.json, which runs once',
      'runs',
      'runs',
    ]);
  });

  it.each([{ async: false }, { async: true }, { asyncRewake: true }, { shell: 'bash' }, { args: [] }, { once: true }])(
    'takes an entry that only adds %j for the same hook',
    (more) => {
      expect(why([command('x', {}, more), command('x', { path: 'p' })], facts('Stop'))).toEqual([
        'it is the same as p in settings.json, which runs once',
        'runs',
      ]);
    },
  );

  it('runs the copy that is waited for, wherever it stands', () => {
    const detached = command('x', { path: 'detached' }, { async: true });
    const same = expect.stringContaining('it is the same as');
    expect(why([command('x'), detached], facts('Stop'))).toEqual(['runs', same]);
    expect(why([detached, command('x')], facts('Stop'))).toEqual([same, 'runs']);
    expect(why([detached, { ...detached, path: 'again' }], facts('Stop'))).toEqual([same, 'runs']);
  });

  it('does not let a copy that does not match stand for one that does', () => {
    const other = command('x', { matcher: 'Write' });
    expect(why([command('x', { matcher: 'Bash' }), other], facts('PreToolUse', bash))).toEqual([
      'runs',
      expect.stringContaining('does not match'),
    ]);
  });

  it('keeps apart what differs in `if`, in arguments, in strictness, in plugin or skill', () => {
    const hooks = [
      command('x'),
      command('x', {}, { args: ['a'] }),
      command('x', {}, { onFailure: 'block' }),
      command('x', { source: 'plugin', file: 'a.json' }),
      command('x', { source: 'plugin', file: 'b.json' }),
      command('x', { source: 'skill' }),
    ];
    expect(why(hooks, facts('Stop'))).toEqual(hooks.map(() => 'runs'));
    const conditions = [command('x', {}, { if: 'Bash(git *)' }), command('x', {}, { if: 'Bash(npm *)' })];
    expect(why(conditions, facts('PreToolUse', bash, { matchesRule: () => true }))).toEqual(['runs', 'runs']);
  });

  it('ignores a matcher where the event has none', () => {
    expect(why([command('x', { matcher: 'nomatch' })], facts('Stop'))).toEqual(['runs']);
  });

  it('reports which value a matcher missed', () => {
    expect(why([command('x', { matcher: 'Read' })], facts('PreToolUse', bash))).toEqual([
      'the matcher "Read" does not match tool_name "Bash"',
    ]);
  });

  it('runs every hook when there is nothing to match against', () => {
    expect(why([command('x', { matcher: 'opus' })], facts('PreModelSwitch', { to_model: '' }))).toEqual(['runs']);
    expect(
      why([command('x', { matcher: 'claude-opus-4' })], facts('PreModelSwitch', { to_model: 'claude-opus-4[1m]' })),
    ).toEqual(['runs']);
  });

  it('matches a changed file by its name, not its path', () => {
    expect(why([command('x', { matcher: '.env' })], facts('FileChanged', { file_path: '/a/.env' }))).toEqual(['runs']);
    expect(why([command('x', { matcher: 'a' })], facts('FileChanged', { file_path: '/a/.env' }))[0]).toMatch(
      /does not match/,
    );
  });

  it.each([
    [true, 'runs'],
    ['unclear', 'runs'],
    [false, 'the call does not meet `if`: Bash(git *)'],
  ] as const)('checks the rule in `if`: %s', (answer, expected) => {
    const hook = command('x', {}, { if: 'Bash(git *)' });
    expect(why([hook], facts('PreToolUse', bash, { matchesRule: () => answer }))).toEqual([expected]);
  });

  it('never runs a hook with `if` on an event without tools', () => {
    const hook = command('x', {}, { if: 'Bash(git *)' });
    expect(why([hook], facts('Stop', {}, { matchesRule: () => true }))[0]).toMatch(/never runs on Stop/);
  });

  it('filters on the last message of a source', () => {
    const hook = command('x', { matcher: { pattern: 'done', caseSensitive: false, source: 'assistant' } });
    const lastMessage = (text: string | undefined) => facts('Stop', {}, { lastText: () => text });
    expect(why([hook], lastMessage('Done.'))).toEqual(['runs']);
    expect(why([hook], lastMessage('Not yet'))).toEqual(['the last assistant message does not match "done"']);
    expect(why([hook], lastMessage(undefined))).toEqual(['there is no assistant message for the pattern "done"']);
  });

  it('refuses a kind that the event does not know, but not a library function', () => {
    const prompt = command('x', { kind: 'prompt' });
    expect(why([prompt], facts('SessionStart'))).toEqual([
      'prompt hooks do not run on SessionStart, only command, mcp_tool',
    ]);
    expect(why([command('x', { kind: 'function', source: 'library' })], facts('SessionStart'))).toEqual(['runs']);
  });

  it('reports that this process cannot run the kind', () => {
    expect(why([command('x')], facts('Stop', {}, { canRun: () => false }))).toEqual([
      'this process cannot run command hooks',
    ]);
  });

  it('honors `once` in a skill only', () => {
    const spent = facts('Stop', {}, { spent: () => true });
    expect(why([command('x', { source: 'skill' }, { once: true })], spent)).toEqual(['it was to run once, and did']);
    expect(why([command('x', {}, { once: true })], spent)).toEqual(['runs']);
  });
});
