import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { budgetEndWarnings, readBudgetEnd } from '../../src/budget/budgetEnd.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';
import { testProject } from '../support/project.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const HOOKS = path.join(ROOT, 'profiles/default/hooks');
const HOOK = path.join(ROOT, 'dist/hook.cjs');

/** Short enough for the landing to start Node, long enough for a busy machine. */
const LEFT = 110;
const END = Math.floor(Date.now() / 1000) + LEFT;

type Environment = Readonly<Record<string, string>>;

/** What the variables hold, and whether it is the time above. */
const CASES: readonly (readonly [name: string, env: Environment, understood: boolean])[] = [
  ['whole seconds', { AUTORESEARCH_BUDGET_END: `${END}` }, true],
  ['a float', { AUTORESEARCH_BUDGET_END: `${END}.734521` }, true],
  ['a float without its fraction', { STOPGATE_BUDGET_END: `${END}.` }, true],
  ['blanks around it', { STOPGATE_BUDGET_END: `  \t${END} ` }, true],
  ['a line end', { AUTORESEARCH_BUDGET_END: `${END}\n` }, true],
  ['a line end of Windows', { AUTORESEARCH_BUDGET_END: `${END}\r\n` }, true],
  ['milliseconds', { STOPGATE_BUDGET_END: `${END}250` }, true],
  ['milliseconds as a float, with blanks', { AUTORESEARCH_BUDGET_END: ` ${END}250.5\n` }, true],
  ['a leading zero', { STOPGATE_BUDGET_END: `0${END}` }, true],
  ['ours wins', { STOPGATE_BUDGET_END: `${END}`, AUTORESEARCH_BUDGET_END: '5' }, true],
  ['ours is empty', { STOPGATE_BUDGET_END: '', AUTORESEARCH_BUDGET_END: `${END}` }, true],
  ['ours is blank', { STOPGATE_BUDGET_END: ' \n', AUTORESEARCH_BUDGET_END: `${END}` }, true],
  ['ours is garbage', { STOPGATE_BUDGET_END: 'soon', AUTORESEARCH_BUDGET_END: `${END}.5` }, true],
  ['the other is garbage', { STOPGATE_BUDGET_END: `${END}`, AUTORESEARCH_BUDGET_END: '20m' }, true],
  ['nothing', {}, false],
  ['words', { STOPGATE_BUDGET_END: 'soon' }, false],
  ['a duration', { AUTORESEARCH_BUDGET_END: '20m' }, false],
  ['negative', { AUTORESEARCH_BUDGET_END: `-${END}` }, false],
  ['two points', { STOPGATE_BUDGET_END: '1.2.3' }, false],
  ['a point alone', { STOPGATE_BUDGET_END: '.' }, false],
  ['a fraction alone', { STOPGATE_BUDGET_END: '.5' }, false],
  ['two numbers', { STOPGATE_BUDGET_END: `${END} ${END}` }, false],
  ['an exponent', { STOPGATE_BUDGET_END: '1.8e9' }, false],
  ['far too long', { STOPGATE_BUDGET_END: '9'.repeat(40) }, false],
  ['an attack', { AUTORESEARCH_BUDGET_END: 'a[$(touch /tmp/stopgate-pwned)]' }, false],
  ['a glob', { STOPGATE_BUDGET_END: '*' }, false],
  ['both garbage', { STOPGATE_BUDGET_END: 'x', AUTORESEARCH_BUDGET_END: '1:30' }, false],
];

const run = (file: string, args: readonly string[], env: Environment, input = '') =>
  spawnSync(file, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  }).stdout;

/** 1m50s down to 1m20s: what is left on a machine that takes its time. */
const SAID = /BUDGET: 1m(?:50|[234]\d)s/;

describe('the end of the budget is read the same by all of its readers', () => {
  it.each(CASES)('%s', async (_name, env, understood) => {
    await using folder = await tempFolder();
    const node = path.join(folder.path, 'node');
    writeFileSync(node, '#!/bin/sh\necho started\n');
    chmodSync(node, 0o755);

    expect(readBudgetEnd(env)).toBe(understood ? END : null);
    const countdown = run(path.join(HOOKS, 'budget-countdown.sh'), ['PostToolBatch'], env);
    expect(countdown).toEqual(understood ? expect.stringMatching(SAID) : '');
    // a time that was taken for another one would be far away, and start nothing
    expect(run(path.join(HOOKS, 'landing.sh'), [node, HOOK], env)).toBe(understood ? 'started\n' : '');
    const hook = run(process.execPath, [HOOK, 'post-tool-batch'], env, '{"hook_event_name":"PostToolBatch"}');
    expect(hook).toEqual(understood ? expect.stringMatching(SAID) : '');
  });

  it.each<[string, Environment, readonly RegExp[]]>([
    ['understood', { STOPGATE_BUDGET_END: ` ${END}.5\n` }, []],
    [
      'ours',
      { STOPGATE_BUDGET_END: 'soon', AUTORESEARCH_BUDGET_END: `${END}` },
      [/^STOPGATE_BUDGET_END .* got "soon"/],
    ],
    [
      'both',
      { STOPGATE_BUDGET_END: 'x', AUTORESEARCH_BUDGET_END: '20m' },
      [/^STOPGATE_.*"x"/, /^AUTORESEARCH_.*"20m"/],
    ],
    ['a blank one', { STOPGATE_BUDGET_END: ' \n' }, []],
    ['a long one', { STOPGATE_BUDGET_END: 'y'.repeat(500) }, [/^STOPGATE_.{1,120}$/]],
  ])('garbage is named: %s', (_name, env, sentences) => {
    expect(budgetEndWarnings(env)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence)));
  });
});

describe('our own agent', () => {
  const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] });

  it('reads the variable that holds a time, and names the other one once', async () => {
    await using project = await testProject((_body, at) => (at < 2 ? bash('echo hi') : { text: 'done' }));
    const end = Math.floor(Date.now() / 1000) + 1200;
    const env = { STOPGATE_BUDGET_END: 'soon', AUTORESEARCH_BUDGET_END: ` ${end}.25\n` };
    const { code, stderr } = await project.run(['-p', 'x', '--allowedTools', 'Bash'], { env });
    expect(code, stderr).toBe(0);
    expect(stderr.match(/STOPGATE_BUDGET_END must be a time in Unix seconds, got "soon"/g)).toHaveLength(1);
    const last = JSON.stringify(project.server.seen.at(-1)?.body.messages);
    expect(last.match(/BUDGET: (?:20m00s|19m\d\ds) remaining/g)).toHaveLength(2);
  });

  it('as a hook of another agent, names garbage when a session starts and not at a tool call', async () => {
    await using project = await testProject();
    const env = { STOPGATE_BUDGET_END: 'soon' };
    const start = {
      session_id: 's',
      prompt_id: 'p',
      cwd: project.dir,
      hook_event_name: 'SessionStart',
      source: 'startup',
    };
    const said = await project.run(['hook', 'session-start'], { input: JSON.stringify(start), env });
    expect(said.lines).toEqual([{ systemMessage: expect.stringContaining('STOPGATE_BUDGET_END must be a time') }]);
    const call = { ...start, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'x' } };
    const none = await project.run(['hook', 'pre-tool-use'], { input: JSON.stringify(call), env });
    expect([none.stdout, none.stderr]).toEqual(['', '']);
  });
});
