import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { gateLines, ledgerLines } from '../support/ledger.ts';
import { type CommandOptions, isAlive, type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const DEFAULTS = { checks: [{ name: 'tests', command: 'printf x >> ../runs; test -e fixed' }] };
/** Ends at the second stop: how often a stop is refused is shown once. */
const FAILING = { ...DEFAULTS, stallAfter: 1 };
const trusted: CommandOptions = { env: { STOPGATE_TRUST_PROJECT: '1' } };
const LIAR = () => ({ text: 'All tests pass. Done.' });

/** A repository whose tests fail, and an agent that says otherwise. */
async function repository(answer: Parameters<typeof testProject>[0] = LIAR, config: object = FAILING) {
  const project = await testProject(answer);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' });
  git('init', '-q');
  project.write('stopgate.config.json', JSON.stringify(config));
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x');
  return Object.assign(project, { git });
}

const timesRun = (project: TestProject) => {
  const file = path.join(project.dir, '../runs');
  return existsSync(file) ? readFileSync(file, 'utf8').length : 0;
};
const MAY_EDIT = ['--allowedTools', 'Edit'];
const ask = (project: TestProject, options: readonly string[], more = trusted) =>
  project.run(['-p', 'Fix the failing test', ...options], more);

describe.concurrent('how the checks of -p ended', () => {
  it('holds an order for work although nothing changed, and says that it stalled', async () => {
    await using project = await repository(LIAR, DEFAULTS);
    const { code, stdout, stderr } = await ask(project, MAY_EDIT);
    expect(stderr).toMatch(/^stopgate: Checks armed: tests\.\n/);
    expect(stderr).toMatch(
      /\nstopgate: checks: stalled \(still failing: tests; no file changed in the last 3 stops\)\n$/,
    );
    expect([code, stdout, timesRun(project)]).toEqual([0, 'All tests pass. Done.\n', 3]);
    expect(JSON.stringify(project.server.seen.at(-1)?.body.messages)).toContain('Not done yet: 1 of 1 check failed.');
  });

  const PERMISSIONS: readonly (readonly [string, readonly string[]])[] = [
    ['a mode', ['--permission-mode', 'acceptEdits']],
    ['a dangerous flag', ['--dangerously-skip-permissions']],
    ['settings', ['--settings', '{"permissions":{"allow":["Write"]}}']],
    ['Bash without a limit', ['--allowedTools', 'Bash']],
  ];
  it.each(sampleOf(PERMISSIONS, ([what]) => /mode|settings/.test(what)))(
    'knows the permission to edit by %s',
    async (_what, options) => {
      await using project = await repository();
      const { lines } = await ask(project, [...options, '--output-format', 'json']);
      expect(lines[0]).toMatchObject({
        is_error: false,
        terminal_reason: 'checks_stalled',
        checks: { type: 'stalled', checks: [{ name: 'tests', outcome: 'failed' }] },
      });
    },
  );

  it('does not hold a question, and says that nothing was checked', async () => {
    await using project = await repository();
    const text = await ask(project, ['--allowedTools', 'Bash(npm test)']);
    expect(text).toMatchObject({ code: 0, stdout: 'All tests pass. Done.\n' });
    expect(text.stderr).toContain('\nstopgate: checks: skipped (nothing changed)\n');
    const json = await ask(project, ['--output-format', 'json']);
    expect(json.lines[0]).toMatchObject({
      terminal_reason: 'completed',
      checks: { type: 'skipped', why: 'nothingChanged', reason: 'skipped (nothing changed)' },
    });
    expect(timesRun(project)).toBe(0);
  });

  it('takes `when` of the configuration over both', async () => {
    await using always = await repository(LIAR, { ...FAILING, when: 'always' });
    expect((await ask(always, [])).stderr).toContain('checks: stalled');
    await using changed = await repository(LIAR, { ...FAILING, when: 'changed' });
    expect((await ask(changed, MAY_EDIT)).stderr).toContain('checks: skipped (nothing changed)');
  });

  it('says when they passed', async () => {
    await using project = await repository();
    project.write('fixed', '');
    const { code, stderr } = await ask(project, [...MAY_EDIT, '--require-proof']);
    expect([code, stderr]).toEqual([0, 'stopgate: Checks armed: tests.\nstopgate: checks: passed (tests)\n']);
  });

  it('prints nothing about checks where there are none', async () => {
    await using project = await testProject(LIAR);
    const { code, stderr, lines } = await project.run(['-p', 'x', '--output-format', 'json']);
    expect([code, stderr, lines[0].checks]).toEqual([0, '', undefined]);
  });
});

describe.concurrent('--require-proof', () => {
  type Case = readonly [string, readonly string[], CommandOptions, object | null, string];
  const CASES: readonly Case[] = [
    ['stalled', MAY_EDIT, trusted, FAILING, 'stalled'],
    ['nothing changed', [], trusted, FAILING, 'stalled'],
    ['nothing changed, and the configuration would skip it', [], trusted, { ...FAILING, when: 'changed' }, 'stalled'],
    ['capped', [], trusted, { ...FAILING, maxBlocks: 1 }, 'capped'],
    ['the folder is not trusted', MAY_EDIT, {}, FAILING, 'skipped'],
    ['the configuration is broken', MAY_EDIT, trusted, { checks: 1 }, 'error'],
    ['there are no checks', MAY_EDIT, trusted, { checks: [] }, 'notArmed'],
    ['--bare', ['--bare'], trusted, FAILING, 'notArmed'],
    ['Stopgate is off', [], { env: { ...trusted.env, STOPGATE_OFF: '1' } }, FAILING, 'notArmed'],
    ['only planning', ['--permission-mode', 'plan'], trusted, FAILING, 'skipped'],
  ];
  // those that are held are below, too
  it.each(sampleOf(CASES, ([what]) => !/^(?:stalled|nothing changed)$/.test(what)))(
    'exits with 123: %s',
    async (_what, options, more, config, type) => {
      await using project = await repository(LIAR, config ?? {});
      const { code, lines, stderr } = await ask(
        project,
        [...options, '--require-proof', '--output-format', 'json'],
        more,
      );
      expect(lines[0], stderr).toMatchObject({ is_error: true, checks: { type } });
      expect(code).toBe(123);
      expect(stderr).toContain('stopgate: checks: ');
    },
  );

  it('exits with 123 where nothing is configured, and says so before the first request', async () => {
    await using project = await testProject(LIAR);
    const { code, stderr } = await project.run(['-p', 'x', '--require-proof']);
    expect(code).toBe(123);
    expect(stderr).toBe(
      'stopgate: --require-proof: checks are not armed (no stopgate.config.json), so this run will exit with 123.\n' +
        'stopgate: checks: not armed (no stopgate.config.json)\n',
    );
  });

  it('keeps the exit code of a turn that failed by itself', async () => {
    await using project = await repository(() => ({ tools: [{ name: 'Glob', input: { pattern: '*' } }] }));
    const { code, lines } = await ask(project, ['--require-proof', '--max-turns', '1', '--output-format', 'json']);
    expect([code, lines[0].terminal_reason, lines[0].checks.type]).toEqual([1, 'max_turns', 'notAsked']);
  });
});

describe('the record of decisions', () => {
  it('is outside the repository, one line a decision, and never holds what a check printed', async () => {
    await using project = await repository(LIAR, {
      checks: [{ name: 'tests', command: 'echo SECRET; test -e fixed' }],
    });
    await ask(project, MAY_EDIT);
    const decisions = gateLines(path.join(project.home, '.stopgate'));
    expect(decisions.map(({ type, ending }) => ending?.type ?? type)).toEqual([
      'sessionStart',
      'blocked',
      'blocked',
      'stalled',
    ]);
    expect(decisions[3]).toMatchObject({ agent: 'stopgate', folder: project.dir, launch: null, worker: null });
    expect(JSON.stringify(ledgerLines(path.join(project.home, '.stopgate')))).not.toContain('SECRET');
    expect(project.git('status', '--porcelain').toString()).toBe('');
  });

  it('names our own agent wherever STOPGATE_HOME is', async () => {
    await using project = await repository();
    const env = { STOPGATE_HOME: path.join(project.home, 'elsewhere') };
    await project.run(['-p', 'Fix it', '--trust-project', ...MAY_EDIT], { env });
    expect(ledgerLines(env.STOPGATE_HOME).at(-1)).toMatchObject({ agent: 'stopgate' });
  });

  it('is no reason to fail: a verdict that cannot be recorded counts, and is said', async () => {
    await using project = await repository();
    project.write('../home/.stopgate/ledger', 'a file in the way');
    const { stderr } = await ask(project, MAY_EDIT);
    expect(stderr).toContain('the decision could not be recorded in');
    expect(stderr).toContain('checks: stalled');
  });
});

/** As Claude Code 2.1.325 calls it: `/clear` ends a session and begins another one in the same process. */
describe('a session that goes on with another one', () => {
  const event = (project: TestProject, name: string, session: string, source?: string) =>
    JSON.stringify({ session_id: session, prompt_id: 'p', cwd: project.dir, hook_event_name: name, source });
  const hook = (project: TestProject, name: string, input: string, pid = '4711') =>
    project.run(['hook', name], {
      input,
      env: { ...trusted.env, CLAUDE_PID: pid, CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PROJECT_DIR: project.dir },
    });

  const SECOND: readonly (readonly [string, string, string, string | undefined])[] = [
    ['/clear in the same process', 'clear', '4711', 'block'],
    ['a fork in the same process', 'fork', '4711', 'block'],
    ['a fork in a process of its own', 'fork', '4712', 'block'],
    ['a new session in a process of its own', 'startup', '4712', undefined],
  ];
  // two clears are below
  it.each(sampleOf(SECOND, ([what]) => what.includes('of its own')))('%s', async (_what, source, pid, decision) => {
    await using project = await repository();
    await hook(project, 'session-start', event(project, 'SessionStart', 'first', 'startup'));
    writeFileSync(path.join(project.dir, 'broken.js'), 'broken');
    await hook(project, 'session-start', event(project, 'SessionStart', 'second', source), pid);
    const { lines } = await hook(project, 'stop', event(project, 'Stop', 'second'), pid);
    expect(lines[0]?.decision).toBe(decision);
  });

  it('inherits over two clears', async () => {
    await using project = await repository();
    await hook(project, 'session-start', event(project, 'SessionStart', 'a', 'startup'));
    writeFileSync(path.join(project.dir, 'broken.js'), 'broken');
    await hook(project, 'session-start', event(project, 'SessionStart', 'b', 'clear'));
    await hook(project, 'session-start', event(project, 'SessionStart', 'c', 'clear'));
    expect((await hook(project, 'stop', event(project, 'Stop', 'c'))).lines[0]?.decision).toBe('block');
  });

  it('does not hold a question after a clear, when nothing was broken before it', async () => {
    await using project = await repository();
    await hook(project, 'session-start', event(project, 'SessionStart', 'a', 'startup'));
    await hook(project, 'session-start', event(project, 'SessionStart', 'b', 'clear'));
    expect((await hook(project, 'stop', event(project, 'Stop', 'b'))).stdout).toBe('');
  });
});

/** An agent that runs one command and then says that it is done. */
const doing = (command: string) => (_body: unknown, index: number) =>
  index === 0 ? { tools: [{ name: 'Bash', input: { command } }] } : { text: 'Done.' };
const MAY_ALL = ['--dangerously-skip-permissions'];
const CONFIG = 'stopgate.config.json';
/** As a program that the reader of command lines does not see through: a plain redirection is refused. */
const puts = (text: string) =>
  `node -e 'require("node:fs").writeFileSync("stopgate" + ".config.json", ${JSON.stringify(text)})'`;
const PASSING = { checks: [{ name: 'tests', command: 'true' }] };

const STALLED = 'stalled \\(still failing: tests; no file changed in the last 2 stops\\)';
const held = (changes: string) =>
  new RegExp(`^${STALLED}; the checks changed during this session \\(${changes}\\); those from its start decided$`);

describe.concurrent('checks that are changed or disarmed during a session', () => {
  const CHANGES: readonly (readonly [string, string, RegExp, object])[] = [
    ['the list is emptied', puts('{"checks":[]}'), held('removed: tests'), { type: 'stalled' }],
    [
      'the file is deleted',
      'node -e \'require("node:fs").rmSync("stopgate" + ".config.json")\'',
      held('removed: tests'),
      { type: 'stalled', decidedBy: 'start' },
    ],
    [
      'Stopgate is switched off',
      'node -e \'require("node:fs").writeFileSync(process.env.HOME + "/." + "stopgate/off", "")\'',
      /^not armed \(Stopgate is switched off\); armed at the start: tests$/,
      { type: 'notArmed', armedAtStart: ['tests'] },
    ],
    ['the file is broken', puts('{'), held('the file is broken now'), { type: 'stalled' }],
    [
      'a command is edited',
      puts('{"checks":[{"name":"tests","command":"true"}]}'),
      held('edited: tests'),
      { type: 'stalled', changed: 'the checks changed during this session (edited: tests)' },
    ],
    [
      'another check in its place',
      puts('{"checks":[{"name":"mine","command":"true"}]}'),
      held('removed: tests; added: mine'),
      { type: 'stalled' },
    ],
  ];
  it.each(sampleOf(CHANGES, ([what]) => !/deleted|another check/.test(what)))(
    '%s: said, and no proof',
    async (_what, command, reason, ending) => {
      await using project = await repository(doing(command));
      const { code, lines, stderr } = await ask(project, [...MAY_ALL, '--require-proof', '--output-format', 'json']);
      expect(lines[0].checks, stderr).toMatchObject({ ...ending, reason: expect.stringMatching(reason) });
      expect(stderr).toContain(`stopgate: checks: ${lines[0].checks.reason}\n`);
      expect(code).toBe(123);
      const { gate } = (await project.run(['status', '--json'])).lines[0];
      expect(gate.sessions[0].stops[0].ending).toMatchObject(ending);
    },
  );

  it('knows a host’s session, also when the file is gone', async () => {
    await using project = await repository(LIAR, PASSING);
    const env = { ...trusted.env, CLAUDE_PID: '4711', CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PROJECT_DIR: project.dir };
    const event = (name: string) =>
      JSON.stringify({ session_id: 's', prompt_id: 'p', cwd: project.dir, hook_event_name: name, source: 'startup' });
    await project.run(['hook', 'session-start'], { input: event('SessionStart'), env });
    execFileSync('rm', [path.join(project.dir, CONFIG)]);
    const { lines } = await project.run(['hook', 'stop'], { input: event('Stop'), env });
    expect(lines[0].systemMessage).toMatch(
      /passed \(tests\); the checks changed during this session \(removed: tests\); those/,
    );
    // compaction is no new start
    project.write(CONFIG, JSON.stringify({ checks: [{ name: 'tests', command: 'test 1' }] }));
    const compacted = event('SessionStart').replace('startup', 'compact');
    await project.run(['hook', 'session-start'], { input: compacted, env });
    const later = await project.run(['hook', 'stop'], { input: event('Stop'), env });
    expect(later.stdout).toMatch(/the checks changed during this session \(edited: tests\)/);
  });
});

describe.concurrent('whose trust counts', () => {
  it('is that of the folder with the configuration, for a sub-folder too', async () => {
    await using project = await repository();
    await project.run(['trust', '--yes']);
    const cwd = path.join(project.dir, 'sub');
    project.write('sub/x', '');
    const { stderr } = await ask(project, MAY_EDIT, { cwd });
    expect(stderr).toContain('Checks armed: tests.');
    expect(stderr).toContain('checks: stalled');
    const { stdout } = await project.run(['status'], { cwd });
    expect(stdout).toMatch(/Checks armed: tests\.[\s\S]* stalled /);
  });

  it('is not that of a sub-folder', async () => {
    await using project = await repository();
    const cwd = path.join(project.dir, 'sub');
    project.write('sub/x', '');
    await project.run(['trust', '--yes'], { cwd });
    const { stderr } = await ask(project, MAY_EDIT, { cwd });
    expect(stderr).toContain(`run \`stopgate trust ${project.dir}\``);
    expect(stderr).toContain('checks: skipped (the folder is not trusted)');
    const { stdout } = await project.run(['status'], { cwd });
    expect(stdout).toMatch(/Checks not run at the stop[\s\S]* skipped +skipped \(the folder is not trusted\)/);
  });
});

describe.concurrent('an interrupt during a check', () => {
  it('is said in the same words everywhere', async () => {
    await using project = await repository(LIAR, { checks: [{ name: 'slow', command: 'touch began; sleep 60' }] });
    const running = project.start(['-p', 'Fix it', ...MAY_EDIT, '--output-format', 'json'], trusted);
    await project.sees('began');
    running.child.kill('SIGINT');
    const { code, stderr, lines } = await running.ended;
    const reason = 'skipped (the checks were interrupted)';
    expect(lines[0].checks).toMatchObject({ type: 'skipped', why: 'checksInterrupted', reason });
    expect(stderr).toContain(`stopgate: checks: ${reason}\n`);
    expect(stderr).not.toMatch(/for good|not asked/);
    expect(code).toBe(130);
    expect((await project.run(['status'])).stdout).toContain(reason);
  });
});

describe.concurrent('what people read of our own hooks', () => {
  it('has their name, and Stopgate named once', async () => {
    await using project = await repository();
    const { stderr, lines } = await ask(project, [...MAY_EDIT, '--output-format', 'stream-json', '--verbose']);
    expect(lines.at(-1)).toMatchObject({ type: 'result', checks: { type: 'stalled' } });
    const text = JSON.stringify(lines);
    expect(text).toContain('A Stop hook sent the agent back: stopgate checks');
    expect(text).toContain('Stop says: stalled. 1 check still failing (tests)');
    expect(text + stderr).not.toMatch(/Stop says: Stopgate|callback/);
  });

  it('says why proof is impossible in a sentence', async () => {
    await using project = await repository(LIAR, { check: [] });
    const { stderr } = await ask(project, ['--require-proof']);
    expect(stderr).toContain('stopgate: --require-proof: the checks cannot run, so this run will exit with 123.\n');
    expect(stderr).toContain('stopgate.config.json:1: check: is not a known field (did you mean "checks"?)');
  });
});

describe('what a check leaves running', () => {
  it('is ended after a pass of -p too, also in a session of its own', async () => {
    const command = 'setsid sh -c "echo \\$\\$ > ../pid; exec sleep 79" & while ! test -s ../pid; do sleep 0.01; done';
    await using project = await repository(LIAR, { checks: [{ name: 'tests', command }] });
    const { stderr } = await ask(project, MAY_EDIT);
    expect(stderr).toContain('checks: passed (tests)');
    expect(stderr).toMatch(/left 1 process running, now ended: .*sleep 79/);
    expect(isAlive(Number(readFileSync(path.join(project.dir, '../pid'), 'utf8')))).toBe(false);
  });
});
