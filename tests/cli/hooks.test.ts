import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CommandOptions, type TestProject, testProject } from '../support/project.ts';

const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });
const hooks = (event: string, ...entries: object[]) => JSON.stringify({ hooks: { [event]: [{ hooks: entries }] } });

/** Settings of the person: their hooks always run. */
function writeUser(project: TestProject, text: string): string {
  const file = path.join(project.home, '.claude/settings.json');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

async function json(project: TestProject, args: readonly string[], options?: CommandOptions) {
  const end = await project.run([...args, '--json'], options);
  return { ...end, value: JSON.parse(end.stdout) };
}

const PAINTED = '\u001b';

describe.concurrent('hooks list', () => {
  it('shows the hooks of all five sources with their place and state', async () => {
    await using project = await testProject();
    writeUser(project, hooks('Stop', command('from-user')));
    project.write('.claude/settings.json', hooks('Stop', command('from-project')));
    project.write('.claude/settings.local.json', hooks('Stop', command('from-local')));
    const managed = project.write('managed.json', hooks('Stop', command('from-managed')));
    const env = { STOPGATE_MANAGED_SETTINGS: managed };
    const args = ['hooks', 'list', '--settings', hooks('PreToolUse', command('from-flag'))];
    const { code, stdout, stderr } = await project.run(args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'Stop',
        '  runs     command   from-user',
        '           ~/.claude/settings.json:1 (user)',
        '  runs     command   from-managed',
        '           managed.json:1 (managed)',
        '  skipped  command   from-project',
        '           .claude/settings.json:1 (project)',
        '           this project is not trusted: run `stopgate trust` here, or pass --trust-project',
        '  skipped  command   from-local',
        '           .claude/settings.local.json:1 (local)',
        '           this project is not trusted: run `stopgate trust` here, or pass --trust-project',
        '',
        'PreToolUse',
        '  runs     command   from-flag',
        '           --settings:1 (flag)',
        '',
        '5 hooks: 3 run, 2 skipped, 0 broken.',
        '',
      ].join('\n'),
    );
    const trusted = await json(project, [...args, '--trust-project'], { env });
    expect(trusted.value).toMatchObject({ trusted: true, counts: { total: 5, run: 5, skipped: 0, broken: 0 } });
    const fewer = await json(project, [...args, '--setting-sources', 'user'], { env });
    expect(fewer.value.hooks.map((hook: { source: string }) => hook.source)).toEqual(['user', 'flag', 'managed']);
  });

  it('names broken entries with the nearest name and lets the others run', async () => {
    await using project = await testProject();
    writeUser(
      project,
      `{\n "hooks": {\n  "Stop": [{ "hooks": [\n   { "type": "comand", "command": "x" },\n   { "type": "command", "command": "y", "tiemout": 3 }\n  ] }],\n  "Stopp": []\n }\n}`,
    );
    const { code, stdout } = await project.run(['hooks', 'list']);
    expect(code).toBe(0);
    expect(stdout).toContain('  broken   ~/.claude/settings.json:4\n');
    expect(stdout).toMatch(/hooks\.Stop\[0\]\.hooks\[0\]\.type: "comand" is not a kind .*; did you mean "command"\?/);
    expect(stdout).toMatch(/No valid event\n.*settings\.json:7\n.*"Stopp" is not an event; did you mean "Stop"\?/);
    expect(stdout).toContain('note: "tiemout" is not a known field and has no effect; did you mean "timeout"?');
    expect(stdout).toContain('3 hooks: 1 run, 0 skipped, 2 broken.');
    expect((await project.run(['hooks', 'list', '--strict'])).code).toBe(1);
    expect((await project.run(['hooks', 'list', '--event', 'PreToolUse', '--strict'])).code).toBe(0);
  });

  it.each<[string, object, Record<string, string>, string]>([
    ['disableAllHooks', { disableAllHooks: true }, {}, 'disableAllHooks is set'],
    ['a hook that started it', {}, { STOPGATE_HOOK_DEPTH: '1' }, 'this agent was started inside a hook'],
    ['managed hooks only', {}, { STOPGATE_MANAGED_SETTINGS: 'managed.json' }, 'only managed hooks are allowed'],
  ])('says that hooks are skipped because of %s', async (_, settings, env, reason) => {
    await using project = await testProject();
    writeUser(project, JSON.stringify({ ...JSON.parse(hooks('Stop', command('x'))), ...settings }));
    project.write('managed.json', '{"allowManagedHooksOnly": true}');
    const { value, code } = await json(project, ['hooks', 'list', '--strict'], { env });
    expect(code).toBe(1);
    expect(value.hooks).toMatchObject([{ state: 'skipped', reason, label: 'x' }]);
  });

  it('says which events this agent does not fire, and lists all 33 when asked', async () => {
    await using project = await testProject();
    writeUser(project, hooks('DirectoryAdded', command('x')));
    const { stdout } = await project.run(['hooks', 'list']);
    expect(stdout).toContain('DirectoryAdded  not fired by this agent\n');
    expect(stdout).not.toContain('Elicitation');
    const all = await project.run(['hooks', 'list', '--all']);
    expect(all.stdout).toContain('Stop  no hooks\n');
    expect(all.stdout).toContain('Elicitation  not fired by this agent\n');
    const { value } = await json(project, ['hooks', 'list', '--all']);
    expect(value.events).toHaveLength(33);
  });

  it('says so when there are none, and when a file cannot be read', async () => {
    await using project = await testProject();
    const { stdout } = await project.run(['hooks', 'list']);
    expect(stdout).toMatch(/^No hooks are configured\. Add them under "hooks" in .*\n$/);
    writeUser(project, '{ "hooks": { }, }');
    const { stderr, code } = await project.run(['hooks', 'list', '--strict']);
    expect(stderr).toMatch(/^stopgate: .*settings\.json:1:15 is not plain JSON: .*\n$/);
    expect(code).toBe(1);
  });

  it('writes out what would fool a terminal, and paints only when asked in a pipe', async () => {
    await using project = await testProject();
    writeUser(project, hooks('Stop', command('rm -rf ~ \u001b[2K\rnpm test')));
    const { stdout } = await project.run(['hooks', 'list']);
    expect(stdout).toContain('rm -rf ~ \\u{1b}[2K\\u{d}npm test');
    expect(stdout).not.toContain(PAINTED);
    expect((await project.run(['hooks', 'list'], { env: { FORCE_COLOR: '1' } })).stdout).toContain(PAINTED);
  });
});

describe.concurrent('hooks explain', () => {
  it('says for each hook whether it would run or why not, what it gets, and what exit 2 does', async () => {
    await using project = await testProject();
    const groups = [
      { matcher: 'Edit|Write', hooks: [command('for-edits')] },
      {
        matcher: 'Bash',
        hooks: [command('for-npm', { if: 'Bash(npm *)', timeout: 5 }), command('for-git', { if: 'Bash(git *)' })],
      },
      { hooks: [{ type: 'prompt', prompt: 'Safe?' }, command('later', { async: true })] },
    ];
    writeUser(project, JSON.stringify({ hooks: { PreToolUse: groups } }));
    project.write('.claude/settings.json', hooks('PreToolUse', command('touch ran')));
    const { code, stdout, stderr } = await project.run(['hooks', 'explain', 'PreToolUse']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('PreToolUse: 6 hooks, 3 would run.\n');
    expect(stdout).toContain('Exit code 2 from a hook: the tool would not run; the model would see its stderr.');
    expect(stdout).toMatch(/won't run {2}command {3}for-edits\n.*\n.*"Edit\|Write" does not match tool_name "Bash"/);
    expect(stdout).toMatch(
      /would run {2}command {3}for-npm\n.*matcher "Bash" · ~\/\.claude\/settings\.json:1 \(user\) · at most 5s/,
    );
    expect(stdout).toMatch(/won't run {2}command {3}for-git\n.*\n.*the call does not meet `if`: Bash\(git \*\)/);
    expect(stdout).toMatch(/would run {2}prompt {4}Safe\?\n.* at most 30s/);
    expect(stdout).toMatch(/would run {2}command {3}later\n.*in the background\n/);
    expect(stdout).toMatch(
      /won't run {2}command {3}touch ran\n.*\(project\) · not trusted\n.*this project is not trusted/,
    );
    expect(stdout).toContain('The input is an example; use --input FILE for your own.');
    expect(JSON.parse(stdout.slice(stdout.indexOf('\n  {')))).toMatchObject({ tool_name: 'Bash', cwd: project.dir });
    expect(existsSync(path.join(project.dir, 'ran'))).toBe(false);
    expect(project.server.seen).toHaveLength(0);
  });

  it('tells exactly what a command gets on stdin, and leaves nothing behind', async () => {
    await using project = await testProject();
    writeUser(project, hooks('SessionStart', command('cat > got')));
    const input =
      '{"source":"resume","session_id":"s1","prompt_id":"p1","transcript_path":"/t.jsonl","cwd":"/","extra":[1]}';
    const explained = await json(project, ['hooks', 'explain', 'SessionStart', '--input', '-'], { input });
    expect(explained.value).toMatchObject({ event: 'SessionStart', fired: true, example: false, filled: [] });
    project.write('in.json', input.replace('"/"', JSON.stringify(project.dir)));
    const { value } = await json(project, ['hooks', 'explain', 'SessionStart', '--input', 'in.json']);
    await project.run(['hooks', 'test', 'SessionStart', '--input', 'in.json']);
    expect(project.read('got')).toBe(`${value.stdin}\n`);
    expect(existsSync(path.join(project.home, '.stopgate/projects'))).toBe(false);
  });

  it.each<[string, string[], string | undefined, RegExp]>([
    ['an unknown event', ['explain', 'stop'], undefined, /Unknown event "stop"; did you mean Stop\?/],
    ['nonsense', ['test', 'Xyzzy'], undefined, /Unknown event "Xyzzy"; stopgate hooks list --all shows all events\./],
    [
      'no event',
      ['explain'],
      undefined,
      /stopgate hooks explain needs <event>; `stopgate hooks explain --help` has examples/,
    ],
    ['broken JSON', ['explain', 'Stop', '--input', '-'], '{\n  "a": tru\n}', /stdin:2:8 is not JSON: /],
    ['no JSON', ['test', 'Stop', '--input', '-'], '', /stdin is empty; it must contain one JSON object\./],
    ['no file', ['test', 'Stop', '--input', 'none.json'], undefined, /The input none\.json cannot be read: ENOENT/],
    [
      'another event',
      ['test', 'Stop', '--input', '-'],
      '{"hook_event_name":"Setup"}',
      /the input of Setup .*, not of Stop\./,
    ],
    [
      'a bad event filter',
      ['list', '--event', 'PreTool'],
      undefined,
      /Unknown event "PreTool"; did you mean PreToolUse\?/,
    ],
  ])('%s is a sentence', async (_, args, input, sentence) => {
    await using project = await testProject();
    const { code, stdout, stderr } = await project.run(['hooks', ...args], input === undefined ? {} : { input });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^stopgate: /);
    expect(stderr).toMatch(sentence);
  });
});

describe.concurrent('hooks test', () => {
  it('runs command hooks and says what each came to and what would happen', async () => {
    await using project = await testProject();
    writeUser(
      project,
      hooks(
        'Stop',
        command('echo "3 tests fail" >&2; exit 2'),
        command(`echo '{"decision":"block","reason":"no changelog"}'`),
        command('true'),
      ),
    );
    project.write('.claude/settings.json', hooks('Stop', command('touch ran')));
    const { code, stdout } = await project.run(['hooks', 'test', 'Stop']);
    expect(code).toBe(0);
    expect(stdout).toContain('Stop: 3 of 4 hooks run. The input is an example');
    expect(stdout).toMatch(
      /✗ blocked \(exit 2\) {2}command {3}echo "3 tests fail" >&2; exit 2\n.*\n {4}blocks: 3 tests fail\n {4}stderr │ 3 tests fail\n/,
    );
    expect(stdout).toMatch(/✗ blocked \(exit 0\) .*\n.*\n {4}blocks: no changelog\n {4}stdout │ \{"decision"/);
    expect(stdout).toMatch(/✓ passed \(exit 0\) {2}command {3}true\n.*\n {4}no objection\n/);
    expect(stdout).toMatch(/not run {2}command {3}touch ran\n.*\(project\)\n {4}this project is not trusted/);
    expect(stdout).toMatch(/\nThe turn would continue; the model would see:\n/);
    expect(stdout).toContain('    Stop hook feedback:\n    no changelog\n');
    expect(existsSync(path.join(project.dir, 'ran'))).toBe(false);
    expect((await project.run(['hooks', 'test', 'Stop', '--trust-project'])).code).toBe(0);
    expect(existsSync(path.join(project.dir, 'ran'))).toBe(true);
    expect(existsSync(path.join(project.home, '.stopgate/projects'))).toBe(false);
  });

  it('exits 1 when a hook gives no verdict: a time-out, a crash, a signal, garbage', async () => {
    await using project = await testProject();
    writeUser(
      project,
      hooks(
        'Stop',
        command('sleep 60', { timeout: 0.2 }),
        command('echo boom >&2; exit 3'),
        command('kill -9 $$'),
        command(`echo '{"decision": }'`),
        command('no-such-program-anywhere', { args: [] }),
      ),
    );
    const { code, value } = await json(project, ['hooks', 'test', 'Stop']);
    expect(code).toBe(1);
    const readAs = Object.fromEntries(
      value.hooks.map(({ label, readAs: [first] }: { label: string; readAs: string[] }) => [
        label.split(' ')[0],
        first,
      ]),
    );
    expect(readAs).toEqual({
      sleep: 'no verdict: it took longer than 200ms and was ended',
      echo: expect.stringMatching(/^no verdict: (Failed with non-blocking status code: boom|it printed JSON .*)$/),
      kill: 'no verdict: it was killed by SIGKILL',
      'no-such-program-anywhere': expect.stringMatching(/^no verdict: .*no-such-program-anywhere/),
    });
    expect(value.verdict.inWords).toEqual([
      { sentence: 'No hook objects: the turn may end.', quotes: [] },
      { sentence: '5 hooks gave no verdict.', quotes: [] },
    ]);
    expect(value.verdict.blocks).toEqual([]);
  });

  it('keeps 50 MB of output in bounds and says what was cut', async () => {
    await using project = await testProject();
    writeUser(project, hooks('Stop', command('head -c 50000000 /dev/zero | tr "\\0" x')));
    const { code, stdout } = await project.run(['hooks', 'test', 'Stop']);
    expect(code).toBe(0);
    expect(stdout.length).toBeLessThan(5_000);
    expect(stdout).toMatch(/… 1,0\d\d,\d{3} more characters, and 48,9\d\d,\d{3} bytes that were not kept/);
  });

  it('asks http hooks', async () => {
    const server = http.createServer((request, response) => {
      request.resume().on('end', () => response.end('{"continue": false, "stopReason": "out of hours"}'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await using project = await testProject();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    writeUser(project, hooks('Stop', { type: 'http', url }, { type: 'http', url: 'http://127.0.0.1:9/' }));
    const { code, stdout } = await project.run(['hooks', 'test', 'Stop']);
    server.closeAllConnections();
    server.close();
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ blocked \(answered\) {2}http {6}http:.*\/hook\n.*\n {4}ends the turn: out of hours\n/);
    expect(stdout).toMatch(/\? no verdict \(could not be run\) {2}http .*\n.*\n {4}no verdict: .*ECONNREFUSED/);
    expect(stdout).toContain('The turn would end:\n    out of hours\n');
  });

  it('lets a model judge prompt and agent hooks, and tells why it cannot without a key', async () => {
    await using project = await testProject((body) =>
      body.tools?.length
        ? { tools: [{ name: 'StructuredOutput', input: { ok: true } }] }
        : { text: '{"ok": false, "reason": "the tests were not run"}' },
    );
    const judges = [
      { type: 'prompt', prompt: 'Were the tests run?' },
      { type: 'agent', prompt: 'Do the tests pass?' },
    ];
    writeUser(project, hooks('Stop', ...judges, command('true')));
    const { code, stdout } = await project.run(['hooks', 'test', 'Stop']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✗ blocked \(answered\) {2}prompt .*\n.*\n {4}blocks: the tests were not run\n/);
    expect(stdout).toMatch(/✓ passed \(answered\) {2}agent .*\n.*\n {4}no objection\n/);
    expect(stdout).toContain('[Were the tests run?]: the tests were not run');
    expect(JSON.stringify(project.server.seen.map(({ body }) => body.messages))).toContain('last_assistant_message');
    const keyless = await json(project, ['hooks', 'test', 'Stop'], { env: { ANTHROPIC_API_KEY: '' } });
    expect(keyless.code).toBe(1);
    expect(
      keyless.value.hooks.map((hook: { kind: string; readAs: string[] }) => [hook.kind, hook.readAs[0]]).sort(),
    ).toEqual([
      ['agent', expect.stringMatching(/^no verdict: the agent failed: .* needs an API key: set ANTHROPIC_API_KEY/)],
      ['command', 'no objection'],
      ['prompt', expect.stringMatching(/^no verdict: the model failed: .* needs an API key: set ANTHROPIC_API_KEY/)],
    ]);
    expect(existsSync(path.join(project.home, '.stopgate/projects'))).toBe(false);
  });

  it('plays a recorded event: its folder, its transcript, its conversation', async () => {
    await using project = await testProject(() => ({ text: 'All the tests are green, I promise.' }));
    await project.run(['-p', 'Fix the crimson test.']);
    const [transcript] = project.transcripts() as [string];
    mkdirSync(path.join(project.dir, 'sub'));
    const judge = { type: 'prompt', prompt: 'Done?' };
    const seen = command('pwd; cat', { matcher: { pattern: 'crimson', source: 'user' } });
    writeUser(project, JSON.stringify({ hooks: { Stop: [seen, judge] } }));
    const cwd = path.join(project.dir, 'sub');
    const input = JSON.stringify({ transcript_path: transcript, cwd, stop_hook_active: true });
    const { value } = await json(project, ['hooks', 'test', 'Stop', '--input', '-'], { input });
    const [first] = value.hooks.filter((hook: { kind: string }) => hook.kind === 'command');
    expect(first.stdout.split('\n')[0]).toBe(cwd);
    expect(first.stdout).toContain('"stop_hook_active":true');
    expect(JSON.stringify(project.server.seen.at(-1)?.body.messages)).toMatch(/crimson|Give the same judgment/);
    expect(JSON.stringify(project.server.seen[1]?.body.messages)).toContain('All the tests are green');
  });

  it('waits for background hooks and shows what they leave', async () => {
    await using project = await testProject();
    writeUser(project, hooks('Stop', command('echo found it >&2; exit 2', { async: true, asyncRewake: true })));
    const { code, stdout } = await project.run(['hooks', 'test', 'Stop']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/in the background {2}command .*\n.*\n {4}not waited for\n/);
    expect(stdout).toMatch(/A background hook left this for the model:\n {4}Stop hook feedback:\n.*found it/);
    expect(stdout).toContain('No hook objects: the turn may end.');
  });

  it('saves output that is too long for a conversation and keeps the file it names', async () => {
    await using project = await testProject();
    writeUser(project, hooks('SessionStart', command('head -c 20000 /dev/zero | tr "\\0" x')));
    const { stdout } = await project.run(['hooks', 'test', 'SessionStart']);
    const [, file] = /All of it is in (\S+\.txt)\./.exec(stdout.replaceAll('\n    ', ' ')) ?? [];
    expect(file && existsSync(file)).toBe(true);
  });

  it('ends its hooks and their children on Ctrl-C', async () => {
    await using project = await testProject();
    writeUser(project, hooks('Stop', command('sleep 300 & echo $! > pid; echo ready; wait')));
    const running = project.start(['hooks', 'test', 'Stop']);
    await untilWritten(project, 'pid');
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/\? no verdict \(interrupted\) {2}command .*\n.*\n {4}no verdict: it was interrupted\n/);
    expect(stateOf(project.read('pid').trim())).toMatch(/^(Z.*)?$/);
    expect(stdout).toContain('No verdict: the hooks were interrupted.');
  });

  it('says that no hook is there', async () => {
    await using project = await testProject();
    const { code, stdout } = await project.run(['hooks', 'test', 'Stop']);
    expect(code).toBe(0);
    expect(stdout).toBe('Stop: no hooks are configured for it.\n\nNo hook ran, so nothing was tested.\n');
    expect(readdirSync(project.home).filter((name) => name !== '.stopgate')).toEqual([]);
  });
});

describe.concurrent('help', () => {
  it.each([[['hooks']], [['hooks', 'list']], [['hooks', 'explain']], [['hooks', 'test']]])(
    '%s has examples',
    async (args) => {
      await using project = await testProject();
      const { code, stdout } = await project.run([...args, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('Examples:\n  $ stopgate hooks ');
    },
  );
});

/** As `ps` names it; empty when it is gone, Z when only its parent has not noticed yet. */
function stateOf(pid: string): string {
  return spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim();
}

/** A file that a hook writes when it is under way. */
async function untilWritten(project: TestProject, file: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    try {
      if (project.read(file).trim()) return;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${file} was never written`);
}
