import { describe, expect, it } from 'vitest';
import { configureHooks } from './configureHooks.ts';
import { problemText } from './finding.ts';
import type { HookLayer } from './readLayer.ts';

const layer = (value: unknown, more: Partial<HookLayer> = {}): HookLayer => ({
  source: 'project',
  file: '.claude/settings.json',
  value,
  ...more,
});
const configure = (value: unknown) => configureHooks([layer(value)]);
const placeholder = `\${session_id}`;
const good = { type: 'command', command: 'good' };
const labels = (value: unknown) => configure(value).hooks.map((hook) => `${hook.event} ${hook.kind} ${hook.label}`);
const problems = (value: unknown) => configure(value).problems.map((problem) => `${problem.path}: ${problem.effect}`);

describe('the forms of an entry', () => {
  it('reads groups, flat entries and `bash`', () => {
    expect(
      labels({
        Stop: [
          { matcher: '', hooks: [good] },
          { type: 'bash', command: 'npm test' },
        ],
      }),
    ).toEqual(['Stop command good', 'Stop command npm test']);
  });

  it('knows the event inside an entry, wherever it stands', () => {
    const read = (value: unknown) => [labels(value), configure(value).problems.length];
    const label = labels({ Stop: [good] })[0];
    expect(read({ Stop: [{ ...good, event: 'Stop' }] })).toEqual([[label], 0]);
    expect(read({ Stop: [{ hooks: [{ ...good, event: 'Stop' }] }] })).toEqual([[label], 0]);
    expect(read({ Stop: [{ event: 'Stop', hooks: [good] }] })).toEqual([[label], 0]);
    expect(read([{ hooks: [{ ...good, event: 'Stop' }] }])).toEqual([[label], 0]);
  });

  it('reads a list whose entries name their event', () => {
    expect(
      labels([
        { event: 'Stop', ...good },
        { event: 'PreToolUse', matcher: 'Bash', hooks: [good] },
      ]),
    ).toEqual(['Stop command good', 'PreToolUse command good']);
  });

  it('reads a matcher that looks at the last message', () => {
    const [hook] = configure({ Stop: [{ ...good, matcher: { pattern: 'done|complete' } }] }).hooks;
    expect(hook?.matcher).toEqual({ pattern: 'done|complete', caseSensitive: false, source: 'assistant' });
    expect(hook?.settings).not.toHaveProperty('matcher');
  });

  it('reads every kind', () => {
    const entries = [
      { type: 'command', command: 'sh', args: ['-c', 'true'] },
      {
        type: 'http',
        url: 'http://127.0.0.1:1/x',
        method: 'PUT',
        headers: { a: 'b' },
        body: { text: placeholder },
      },
      { type: 'prompt', prompt: 'Done?', continueOnBlock: true },
      { type: 'agent', prompt: 'Review', tools: ['Bash', 'FileRead'] },
      { type: 'mcp_tool', server: 's', tool: 't', input: { a: placeholder } },
    ];
    const { hooks, problems: found } = configure({ Stop: [{ hooks: entries }] });
    expect(found).toEqual([]);
    expect(hooks.map((hook) => hook.label)).toEqual(['sh -c true', 'http://127.0.0.1:1/x', 'Done?', 'Review', 's:t']);
    expect(hooks[3]?.settings).toMatchObject({ tools: ['Bash', 'Read'] });
  });
});

describe('a broken entry', () => {
  it.each<[string, unknown, string]>([
    ['an unknown event', { Stopp: [{ hooks: [good] }] }, 'hooks.Stopp: "Stopp" is not an event; did you mean "Stop"?'],
    ['an event in the wrong case', { stop: [good] }, 'hooks.stop: "stop" is not an event; did you mean "Stop"?'],
    [
      'an unknown kind',
      { Stop: [{ hooks: [{ type: 'comand', command: 'x' }] }] },
      'hooks.Stop[0].hooks[0].type: "comand" is not a kind of hook (command, bash, http, prompt, agent, mcp_tool); did you mean "command"?',
    ],
    ['no kind', { Stop: [{ hooks: [{ command: 'x' }] }] }, 'hooks.Stop[0].hooks[0].type: must be one of'],
    ['a wrong type', { Stop: [{ hooks: [good, { ...good, timeout: '5' }] }] }, 'hooks.Stop[0].hooks[1].timeout: '],
    ['a timeout of nothing', { Stop: [{ hooks: [{ ...good, timeout: 0 }] }] }, 'hooks.Stop[0].hooks[0].timeout: '],
    ['a missing field', { Stop: [{ hooks: [{ type: 'command' }] }] }, 'hooks.Stop[0].hooks[0].command: '],
    ['a URL that is none', { Stop: [{ type: 'http', url: 'file:///etc/passwd' }] }, 'hooks.Stop[0].url: '],
    ['an event that is not a list', { Stop: good }, 'hooks.Stop: must be a list of hooks'],
    ['a group that is not a list', { Stop: [{ hooks: good }] }, 'hooks.Stop[0].hooks: must be a list of hooks'],
    ['an entry that is not an object', { Stop: ['npm test'] }, 'hooks.Stop[0]: must be an object'],
    ['an invalid matcher', { Stop: [{ matcher: 5, hooks: [good] }] }, 'hooks.Stop[0].matcher: '],
    [
      'a broken pattern',
      { Stop: [{ ...good, matcher: { pattern: '(' } }] },
      'hooks.Stop[0].matcher.pattern: "(" is not a regular expression',
    ],
    ['a value that is not hooks', 'yes', 'hooks: must be an object of events'],
    [
      'an entry that names another event than its list',
      { Stop: [{ ...good, event: 'PreToolUse' }] },
      'hooks.Stop[0].event: must be "Stop", the event it is listed under, got "PreToolUse"',
    ],
    [
      'a group that names another event than its list',
      { Stop: [{ event: 'PreToolUse', hooks: [good] }] },
      'hooks.Stop[0].event: must be "Stop"',
    ],
    ['a listed entry without its event', [good], 'hooks[0].event: must name the event'],
    [
      'a listed entry with a wrong event',
      [{ event: 'Stpo', ...good }],
      'hooks[0].event: "Stpo" is not an event; did you mean "Stop"?',
    ],
  ])('%s is named and does not run', (_, value, text) => {
    const [first] = configure(value).problems;
    expect(first && problemText(first)).toContain(`.claude/settings.json: ${text}`);
    expect(first && problemText(first)).toContain('(this entry does not run)');
  });

  it('disables itself and nothing else', () => {
    const many = Array.from({ length: 109 }, (_, n) => ({
      type: n === 54 ? 'carrier-pigeon' : 'command',
      command: `c${n}`,
    }));
    const { hooks, problems: found } = configure({ Nope: [], Stop: [{ hooks: many }] });
    expect(hooks).toHaveLength(108);
    expect(found.map((problem) => problem.path)).toEqual(['hooks.Nope', 'hooks.Stop[0].hooks[54].type']);
  });
});

describe('what is only noted', () => {
  it('runs an entry with an unknown field and names the field', () => {
    const { hooks, problems: found } = configure({ Stop: [{ hooks: [{ ...good, timout: 5 }] }] });
    expect(hooks).toHaveLength(1);
    expect(found.map(problemText)).toEqual([
      '.claude/settings.json: hooks.Stop[0].hooks[0].timout: "timout" is not a known field and has no effect; did you mean "timeout"?',
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a group field', { Stop: [{ mather: 'x', hooks: [good] }] }, 'hooks.Stop[0].mather: noted'],
    ['a broken tool pattern', { PreToolUse: [{ matcher: '*(', hooks: [good] }] }, 'hooks.PreToolUse[0].matcher: noted'],
    ['`if` on a stop', { Stop: [{ ...good, if: 'Bash(git *)' }] }, 'hooks.Stop[0].if: noted'],
    [
      'a kind the event does not run',
      { SessionStart: [{ type: 'prompt', prompt: 'x' }] },
      'hooks.SessionStart[0]: noted',
    ],
  ])('%s', (_, value, problem) => {
    expect(problems(value)).toEqual([problem]);
    expect(configure(value).hooks).toHaveLength(1);
  });

  it('has no problems without hooks', () => {
    for (const value of [undefined, null, {}, [], { Stop: [] }])
      expect(configure(value)).toEqual({ hooks: [], skipped: [], problems: [] });
  });
});

it('reports the line of an entry and of a problem', () => {
  const text =
    '{\n  "hooks": {\n    "Stop": [\n      { "type": "command", "command": "a" },\n      { "type": "command" }\n    ]\n  }\n}';
  const value = (JSON.parse(text) as { hooks: unknown }).hooks;
  const { hooks, problems: found } = configureHooks([layer(value, { text })]);
  expect(hooks[0]?.line).toBe(4);
  expect(found[0] && problemText(found[0])).toMatch(/^\.claude\/settings\.json:5: hooks\.Stop\[1\]\.command: /);
});

describe('who may run', () => {
  const layers: readonly HookLayer[] = (['user', 'project', 'local', 'flag', 'managed'] as const).map((source) =>
    layer({ Stop: [{ type: 'command', command: source }] }, { source, file: source }),
  );
  const run = (policy: Parameters<typeof configureHooks>[1]) => {
    const { hooks, skipped } = configureHooks(layers, policy);
    return {
      runs: hooks.map((hook) => hook.label),
      reasons: [...new Set(skipped.map((one) => one.reason))],
      skipped: skipped.length,
    };
  };

  it('concatenates all layers', () => {
    expect(run({}).runs).toEqual(['user', 'project', 'local', 'flag', 'managed']);
  });

  it('skips what came with an untrusted project, each by name', () => {
    expect(run({ whyNotTrusted: () => 'not approved' })).toEqual({
      runs: ['user', 'flag', 'managed'],
      reasons: ['not approved'],
      skipped: 2,
    });
  });

  it('keeps managed hooks unless managed settings disable them', () => {
    expect(run({ disableAllHooks: 'exceptManaged' }).runs).toEqual(['managed']);
    expect(run({ disableAllHooks: 'all' }).runs).toEqual([]);
    expect(run({ allowManagedHooksOnly: true })).toMatchObject({ runs: ['managed'], skipped: 4 });
  });
});
