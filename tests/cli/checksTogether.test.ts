import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSameProcess, startOfProcess } from '../../src/system/processLife.ts';
import { gateLines } from '../support/ledger.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const trusted = { STOPGATE_TRUST_PROJECT: '1' };

async function withCheck(check: object): Promise<TestProject> {
  const project = await testProject();
  project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'test', ...check }] }));
  mkdirSync(path.join(project.dir, '.git'));
  return project;
}

interface Asking {
  readonly session?: string;
  readonly payload?: object;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function start(project: TestProject, event: string, { session = 's', payload = {}, args = [], env = {} }: Asking = {}) {
  const input = JSON.stringify({
    session_id: session,
    prompt_id: 'p',
    cwd: project.dir,
    hook_event_name: 'Stop',
    ...payload,
  });
  return project.start(['hook', event, ...args], { input, env: { ...trusted, ...env } });
}
const ask = async (...args: Parameters<typeof start>) => (await start(...args).ended).stdout;
const inHome = (project: TestProject, name: string) => path.join(project.home, name);
const textIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A check that fails when it runs twice at a time, and ends when the file `go` is there. */
async function exclusive(end: string): Promise<TestProject> {
  const project = await withCheck({ command: 'sh "$HOME/check.sh"' });
  const script = `printf x >> "$HOME/runs"; mkdir "$HOME/busy" || { echo collided; exit 7; }
while [ ! -e "$HOME/go" ]; do sleep 0.05; done; rmdir "$HOME/busy"; ${end}`;
  writeFileSync(inHome(project, 'check.sh'), script);
  return project;
}

describe('two sessions that stop in one folder', () => {
  it.each([
    ['passes', 'exit 0'],
    ['fails', 'echo the one output; exit 3'],
  ])('run a check that %s once, one after the other', async (what, end) => {
    await using project = await exclusive(end);
    const first = start(project, 'stop', { session: 'one' });
    await until(() => textIn(inHome(project, 'runs')) === 'x');
    const second = start(project, 'stop', { session: 'two' });
    await second.sees('waiting for the checks of another session in this folder (process ');
    writeFileSync(inHome(project, 'go'), '');
    const answers = await Promise.all([first.ended, second.ended]);
    expect(textIn(inHome(project, 'runs'))).toBe('x');
    expect(answers[1].stderr).toMatch(/waited \d+s for the checks of another session/);
    for (const { stdout } of answers) {
      expect(stdout.includes('"decision":"block"')).toBe(what === 'fails');
      expect(stdout.includes('the one output')).toBe(what === 'fails');
    }
    // a failure is shared with who waited for it, not with later stops
    await ask(project, 'stop', { session: 'three' });
    expect(textIn(inHome(project, 'runs'))).toBe(what === 'fails' ? 'xx' : 'x');
  });

  it('do not wait for one that was killed, and end the checks that it left', async () => {
    await using project = await withCheck({ command: 'echo $$ >> "$HOME/pids"; [ -e "$HOME/go" ] || exec sleep 600' });
    const first = start(project, 'stop', { session: 'one' });
    await until(() => textIn(inHome(project, 'pids')).includes('\n'));
    const [pid = 0] = textIn(inHome(project, 'pids')).split('\n').map(Number);
    const begun = startOfProcess(pid);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(isSameProcess(pid, begun)).toBe(true);
    writeFileSync(inHome(project, 'go'), '');
    expect(await ask(project, 'stop', { session: 'two' })).toMatch(
      new RegExp(
        `earlier checks that were killed left 1 process running, now ended: sleep 600 \\(process ${pid}, \\d+s old\\)`,
      ),
    );
    expect(isSameProcess(pid, begun)).toBe(false);
  });

  it('give up at the end of the hook, and say for whom they waited', async () => {
    await using project = await exclusive('exit 0');
    const first = start(project, 'stop', { session: 'one' });
    await until(() => textIn(inHome(project, 'runs')) === 'x');
    const second = await ask(project, 'stop', { session: 'two', args: ['--timeout', '7'] });
    expect(second).toContain('"decision":"block"');
    expect(second).toMatch(/the checks of another session \(process \d+\) were still running after [12]s/);
    expect(textIn(inHome(project, 'runs'))).toBe('x');
    writeFileSync(inHome(project, 'go'), '');
    await first.ended;
  });
});

const call = (name: string, input: object = {}) =>
  `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name, input }] } })}\n`;

describe('a session beside one that broke the files', () => {
  const SESSIONS: readonly (readonly [string, boolean, string])[] = [
    ['asked and was answered', false, ''],
    ['only read', false, call('Read') + call('Grep') + call('Bash', { command: 'git status && ls' })],
    ['edited', true, call('Read') + call('Edit', { file_path: '/x' })],
    ['ran a command that may write', true, call('Bash', { command: 'make' })],
    ['started an agent', true, call('Agent')],
    ['has a tool of a server', true, call('mcp__files__write')],
  ];
  // src/stop/activity.test.ts has each tool
  it.each(sampleOf(SESSIONS, ([what]) => /read|edited|command/.test(what)))(
    'that %s: held is %s',
    async (_what, isHeld, transcript) => {
      await using project = await withCheck({ command: 'exit 1' });
      writeFileSync(inHome(project, 't.jsonl'), transcript);
      const payload = { transcript_path: inHome(project, 't.jsonl') };
      await ask(project, 'session-start', { session: 'reader', payload });
      await ask(project, 'session-start', { session: 'writer' });
      project.write('broken.txt', 'by the other');
      await ask(project, 'stop', { session: 'writer' });
      const answer = await ask(project, 'stop', { session: 'reader', payload });
      expect(answer.includes('"decision":"block"')).toBe(isHeld);
      expect(answer).toContain(
        isHeld ? '1 other session worked in this folder at the same time.' : 'Another session or a person changed them',
      );
      // the record names the same reason as the note
      const last = gateLines(inHome(project, '.stopgate')).at(-1);
      expect(last.ending.why).toBe(isHeld ? undefined : 'changedByOthers');
    },
  );

  it('is held without a transcript, since whose change it was cannot be told', async () => {
    await using project = await withCheck({ command: 'exit 1' });
    await ask(project, 'session-start');
    project.write('broken.txt', 'x');
    expect(await ask(project, 'stop')).toContain('"decision":"block"');
  });
});

describe('what a check leaves running', () => {
  it.each([
    ['in its group', 'sleep 611 & echo $! > "$HOME/pid"'],
    [
      'in a session of its own',
      'setsid sh -c \'echo $$ > "$HOME/pid"; exec sleep 611\' & while [ ! -s "$HOME/pid" ]; do sleep 0.02; done',
    ],
    [
      'deaf to SIGTERM',
      'setsid sh -c \'trap "" TERM; echo $$ > "$HOME/pid"; while :; do sleep 1; done\' & while [ ! -s "$HOME/pid" ]; do sleep 0.02; done',
    ],
  ])('%s is ended and named', async (_where, command) => {
    await using project = await withCheck({ command: `${command}; exit 0` });
    const answer = await ask(project, 'stop');
    const pid = Number(textIn(inHome(project, 'pid')));
    expect(answer).toMatch(/the check test left \d process(es)? running, now ended: .*\(process \d+, \d+s old\)/);
    expect(pid).toBeGreaterThan(1);
    expect(isSameProcess(pid, undefined)).toBe(false);
  });

  it('is not named when it is just ending', async () => {
    await using project = await withCheck({ command: 'sleep 0.05 & exit 0' });
    expect(await ask(project, 'stop')).toBe('');
  });
});

describe('a check that may take longer than its hook', () => {
  it('is ended before the hook is, and holds the stop', async () => {
    await using project = await withCheck({ command: 'echo begun; sleep 600', timeout: '2h' });
    // enough to begin on a busy machine
    const answer = await ask(project, 'stop', { args: ['--timeout', '12'] });
    expect(answer).toContain('"decision":"block"');
    expect(answer).toMatch(/did not finish within \d+s and was ended: the stop hook has no more time/);
  });

  it('gets a hook with enough time from init, and is named at the start where the settings are older', async () => {
    await using project = await withCheck({ command: 'true', timeout: '2h' });
    const { lines } = await project.run(['init', '--yes', '--json']);
    const stop = lines[0].hosts[0].files[0].entries.find(({ event }: { event: string }) => event === 'Stop');
    expect(stop.timeout).toBe(Math.ceil((7200 + 60) / 0.95));
    expect(stop.command).toContain(`hook stop --timeout ${stop.timeout} `);
    expect(await ask(project, 'session-start', { payload: { hook_event_name: 'SessionStart' } })).toBe('');
    project.write('stopgate.config.json', '{"checks":[{"name":"slow","command":"true","timeout":"5h"}]}');
    expect(
      await ask(project, 'session-start', { session: 'two', payload: { hook_event_name: 'SessionStart' } }),
    ).toContain('The checks may take 5h (slow 5h), but the stop hook ends after 2h07m.');
    await project.run(['init', '--yes']);
    expect(
      await ask(project, 'session-start', { session: 'three', payload: { hook_event_name: 'SessionStart' } }),
    ).toBe('');
  });
});
