import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerLines } from '../support/ledger.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const JSON_OUTPUT = ['--output-format', 'json'];
const at = (project: TestProject, ...parts: string[]) => path.join(project.home, '.stopgate', ...parts);
const lines = (project: TestProject) => ledgerLines(at(project));
const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command, description: 'x' } }] });

/** A repository with a check that passes when `fixed` exists. */
async function repository(answer: Parameters<typeof testProject>[0], command = 'test -e fixed') {
  const project = await testProject(answer);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project.dir });
  project.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'tests', command }], stallAfter: 1 }));
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'first');
  return { project, git };
}

const run = (project: TestProject, ...args: string[]) =>
  project.run(['-p', 'Fix it', '--trust-project', '--allowedTools', 'Bash,Edit', ...JSON_OUTPUT, ...args]);

describe('records of our own agent', () => {
  it('a stop that was blocked and then passed has a signed receipt with what ran on which files', async () => {
    const replies = [{ text: 'All done, all tests pass.' }, bash('touch fixed'), { text: 'Now it is done.' }];
    const { project, git } = await repository((_body, n) => replies[n]);
    await using _project = project;
    const { lines: printed } = await run(project);
    const session = printed[0].session_id;
    expect(lines(project).map(({ type, ending }) => ending?.type ?? ending ?? type)).toEqual([
      ...['sessionStart', 'blocked', 'passed', 'completed'],
    ]);
    const stored = readFileSync(at(project, 'receipts', `${session}.json`), 'utf8');
    const shown = await project.run(['receipt', '--json']);
    expect(shown.stdout).toBe(stored);
    const head = git('rev-parse', 'HEAD').toString().trim();
    expect(JSON.parse(stored).receipt).toMatchObject({
      ...{ session, agent: 'stopgate', folder: project.dir, outcome: 'passed', isProven: true, notProven: [] },
      claim: 'Now it is done.',
      checks: [
        { name: 'tests', outcome: 'passed', exitCode: 0, durationMs: expect.any(Number), endedAt: expect.any(String) },
      ],
      tree: { head, startCommit: head, files: ['fixed'], diffSha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      stops: [{ outcome: 'blocked' }, { outcome: 'passed' }],
      spend: { usd: printed[0].total_cost_usd, requests: 3 },
      evidence: { command_count: 1, commands: [{ command: 'touch fixed', exit_code: 0 }] },
    });
    expect(statSync(at(project, 'keys/receipts.pem')).mode & 0o777).toBe(0o600);
    const why = await project.run(['why', session.slice(0, 8)]);
    expect(why.stdout).toMatch(
      /started\n.*sent back: failed \(tests\).*\n.*allowed to: passed \(tests\).*\n.*completed/,
    );
    expect(why.stdout).toContain('Nothing: its checks passed.');
  });

  const DIFFS: readonly (readonly [string, string])[] = [
    ['staged changes', 'echo changed > stopgate.config.json.txt; git add -A'],
    ['nothing but an untracked file', 'true'],
    ['a file that git was told to forget', 'git rm -q --cached stopgate.config.json'],
    ['a commit, and a change on top', 'echo 1 > a; git add a; git commit -qm more; echo 2 > a; echo 3 > b; git add b'],
    ['names that are no plain text', "printf 1 > 'ä \"x'; printf 2 > \"$(printf 'b\\377')\"; git add -A"],
    ['a folder below the top', 'mkdir in; echo 1 > in/a; git add -A; cd in'],
    [
      'a commit, names that are no plain text, and a file that git was told to forget',
      "echo 1 > a; git add a; git commit -qm more; echo 2 > a; printf 1 > 'ä \"x'; printf 2 > \"$(printf 'b\\377')\"; git add -A; git rm -q --cached stopgate.config.json",
    ],
  ];
  it.each(sampleOf(DIFFS, ([what]) => /commit.*names.*forget/.test(what)))(
    'the hash of the diff is that of `git diff` with the same options: %s',
    async (_name, command) => {
      const replies = [bash(`touch fixed; ${command}`), { text: 'done' }];
      const { project, git } = await repository((_body, n) => replies[n]);
      await using _project = project;
      await run(project);
      const { tree } = JSON.parse((await project.run(['receipt', '--json'])).stdout).receipt;
      const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--full-index', '--binary', '--no-renames'];
      const diff = git('diff', ...options, tree.startCommit, '--');
      const sum = execFileSync('sha256sum', { input: diff }).toString().split(' ')[0];
      expect(tree.diffSha256).toBe(sum);
    },
  );

  it('list, why, receipt, report and status show the outcome of the gate', async () => {
    const { project } = await repository(() => ({ text: 'All done.' }));
    await using _project = project;
    await run(project);
    const [listed] = JSON.parse((await project.run(['list', '--json'])).stdout);
    expect(listed).toMatchObject({ state: 'done', outcome: 'stalled' });
    expect((await project.run(['list'])).stdout).toMatch(/ = stalled .*still failing: tests/);
    expect((await project.run(['why'])).stdout).toMatch(/^Session .* {2}= stalled\n/);
    expect((await project.run(['receipt'])).stdout).toMatch(/^Outcome +.*= stalled \(still failing: tests/m);
    expect((await project.run(['report'])).stdout).toMatch(/Sessions: 1 \(1 stalled\)\n.* = stalled \(still/);
    expect((await project.run(['status'])).stdout).toContain('= stalled');
  });

  it('a changed receipt is named, in JSON and in Markdown', async () => {
    await using project = await testProject(() => ({ text: 'All done.\n```json\nnot this\n```\n@someone <b>' }));
    await project.run(['-p', 'x']);
    const verify = async (name: string, text: string) => {
      const { code, stdout } = await project.run(['receipt', 'verify', project.write(name, text)], {
        env: { NO_COLOR: '1' },
      });
      return [code, stdout.trim()];
    };
    const json = (await project.run(['receipt', '--json'])).stdout;
    const markdown = (await project.run(['receipt', '--markdown'])).stdout;
    expect(await verify('a.json', json)).toEqual([0, expect.stringContaining('signed with the key of this machine')]);
    expect(await verify('a.md', markdown)).toEqual([0, expect.stringMatching(/^Valid/)]);
    expect(await verify('b.json', json.replace('All done', 'All well'))).toEqual([
      ...[1, 'Not valid:\n- `claim` is not what was signed.'],
    ]);
    expect(await verify('b.md', markdown.replace('### ⚠️ Not proven: completed', '### ✅ Proven'))).toEqual([
      ...[1, expect.stringContaining('The text around the signed receipt is not what it says.')],
    ]);
    // outside of the quoted claim, nothing of the agent's text is markup
    expect(markdown.split('**Claim')[0]).not.toContain('<b>');
    const other = await project.run(['receipt', 'verify', 'a.json', '--key', 'another']);
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('signed with another key')]);
  });

  it('a stored receipt that was changed is reported, and not shown', async () => {
    const { project } = await repository(() => ({ text: 'done' }));
    await using _project = project;
    await run(project);
    const [name = ''] = readdirSync(at(project, 'receipts')).filter((one) => one.endsWith('.json'));
    const file = at(project, 'receipts', name);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"isProven":false', '"isProven":true'));
    const { stdout, stderr } = await project.run(['receipt', '--json']);
    expect(stderr).toMatch(/was changed after it was signed \(`isProven` is not what was signed\.\)/);
    expect(JSON.parse(stdout).receipt.isProven).toBe(false);
  });

  it('are not taken for complete while the task store cannot be read', async () => {
    await using project = await testProject();
    const store = ['--store', 'postgres://127.0.0.1:1/none'];
    const shown = await project.run(['report', ...store]);
    expect([shown.code, shown.stdout]).toEqual([
      69,
      expect.stringMatching(/The task store could not be read: [\s\S]*\nWaits for a person: not known\n/),
    ]);
    const json = await project.run(['report', ...store, '--json']);
    expect([json.code, json.lines[0]]).toEqual([
      69,
      expect.objectContaining({ reviews: null, unlanded: null, waitingTasks: null }),
    ]);
    const why = await project.run(['why', 'abc', ...store]);
    expect([why.code, why.stderr]).toEqual([
      69,
      expect.stringMatching(/"abc", and whether a task does is not known: /),
    ]);
    expect((await project.run(['report', '--store', 'typo.db'])).code).toBe(2);
  });

  it('are continued by a resumed session, with the spend of both', async () => {
    await using project = await testProject(() => ({ text: 'ok', usage: { in: 100, out: 10 } }));
    const first = await project.run(['-p', 'x', ...JSON_OUTPUT]);
    const id = first.lines[0].session_id;
    const second = await project.run(['-p', 'y', '--resume', id, ...JSON_OUTPUT]);
    const { receipt } = JSON.parse((await project.run(['receipt', id, '--json'])).stdout);
    expect(receipt.spend).toMatchObject({ requests: 2, outputTokens: 20 });
    expect(receipt.spend.usd).toBeCloseTo(first.lines[0].total_cost_usd + second.lines[0].total_cost_usd);
    expect((await project.run(['why', id])).stdout).toContain('stopgate resumed the session');
    const night = JSON.parse((await project.run(['report', '--since', '1h', '--json'])).stdout);
    expect(night.spend.usd).toBeCloseTo(receipt.spend.usd);
    expect(night).toMatchObject({ sessions: [{ session: id, outcome: 'completed' }], waiting: [], tasks: null });
  });

  it('have what hooks decided, with their place, and give them evidence', async () => {
    const replies = [bash('npm test'), bash('rm -rf x'), { text: 'one' }, { text: 'two' }];
    await using project = await testProject((_body, n) => replies[n]);
    const hook = (command: string) => [{ hooks: [{ type: 'command', command }] }];
    const settings = {
      PreToolUse: hook('grep -q "rm -rf" && { echo "no removal" >&2; exit 2; } || true'),
      Stop: hook('cat > stop.json; test -e once || { touch once; echo "not yet sk-abcdefghijkl" >&2; exit 2; }'),
    };
    project.write('s.json', JSON.stringify({ hooks: settings }));
    await project.run(['-p', 'x', '--settings', 's.json', '--allowedTools', 'Bash']);
    const hooks = lines(project).filter(({ type }) => type === 'hook');
    expect(hooks.map(({ event, verdict, reason }) => [event, verdict, reason])).toEqual([
      ['PreToolUse', 'blocked', 'no removal'],
      ['Stop', 'blocked', 'not yet [redacted]'],
      ['Stop', 'passed', ''],
    ]);
    expect(hooks[0].source).toMatch(/s\.json:1 hooks\.PreToolUse\[0\]\.hooks\[0\]$/);
    expect(JSON.parse(project.read('stop.json')).evidence).toMatchObject({
      ...{ command_count: 2, last_check: { command: 'npm test' }, checked_after_last_edit: null },
      commands: [
        { command: 'npm test', exit_code: expect.any(Number) },
        { command: 'rm -rf x', exit_code: null },
      ],
    });
  });

  it('a budget is refused before the request that would exceed it, and that is the end on record', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { ...bash('true'), usage: { in: 0, out: 1000 } } : { text: 'x' },
    );
    const { lines: printed } = await project.run([
      '-p',
      'x',
      '--max-budget-usd',
      '0.0105',
      '--allowedTools',
      'Bash',
      ...JSON_OUTPUT,
    ]);
    expect(printed[0]).toMatchObject({ subtype: 'error_max_budget_usd', terminal_reason: 'budget_exhausted' });
    expect(printed[0].total_cost_usd).toBeLessThanOrEqual(0.0105);
    expect(project.server.seen).toHaveLength(1);
    // the answer may not be longer than what the money is enough for
    expect(project.server.seen[0]?.body.max_tokens).toBeLessThan(1100);
    expect(lines(project).map(({ type, decision, ending }) => decision ?? ending ?? type)).toEqual([
      ...['sessionStart', 'ended', 'budget_exhausted'],
    ]);
    expect((await project.run(['why'])).stdout).toContain('Raise --max-budget-usd');
  });

  it('a process that was killed is told as such', async () => {
    await using project = await testProject(() => ({ text: 'x', breakOff: 'hang' }));
    const { child } = project.start(['-p', 'x']);
    await expect.poll(() => project.server.seen.length, { timeout: 20_000 }).toBe(1);
    child.kill('SIGKILL');
    if (child.signalCode === null) await once(child, 'exit');
    expect((await project.run(['why'])).stdout).toContain('it was killed or crashed');
    expect((await project.run(['report'])).stdout).toContain('lost: its process is gone');
  });

  it('report takes --since in every unit', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    await project.run(['-p', 'x']);
    for (const since of sampleOf(['90m', '12h', '1d', '2w', '1d12h'], (unit) => /^(?:90m|2w|1d12h)$/.test(unit))) {
      const { code, stdout } = await project.run(['report', '--since', since]);
      expect([since, code, stdout]).toEqual([since, 0, expect.stringContaining('Sessions: 1 (1 completed)')]);
    }
  });

  it('are only a warning when they cannot be written', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    project.write('../home/.stopgate/ledger', 'in the way');
    const { code, stdout, stderr } = await project.run(['-p', 'x']);
    expect([code, stdout]).toEqual([0, 'ok\n']);
    expect(stderr.match(/could not be recorded/g)).toHaveLength(1);
  });
});

describe('records of a host', () => {
  const hook = (project: TestProject, event: string, payload: object) =>
    project.run(['hook', event], { input: JSON.stringify({ session_id: 'host1', cwd: project.dir, ...payload }) });
  const MESSAGE = [
    { type: 'user', timestamp: '2026-11-01T10:00:00Z', message: { content: 'go' } },
    {
      type: 'assistant',
      timestamp: '2026-11-01T10:00:01Z',
      message: { content: [{ type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'npm test' } }] },
    },
    {
      type: 'user',
      timestamp: '2026-11-01T10:00:03Z',
      message: { content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Exit code 1\nfailed', is_error: true }] },
    },
  ];

  it('a stop is a line with its claim and evidence, and a receipt', async () => {
    const { project, git } = await repository(() => undefined);
    await using _project = project;
    await project.run(['trust', '--yes']);
    const transcript = project.write('../t.jsonl', MESSAGE.map((line) => JSON.stringify(line)).join('\n'));
    await hook(project, 'session-start', { hook_event_name: 'SessionStart', source: 'startup' });
    project.write('a.txt', 'changed');
    git('add', '-A');
    const stop = { hook_event_name: 'Stop', transcript_path: transcript, last_assistant_message: 'Done, I promise.' };
    expect((await hook(project, 'stop', stop)).stdout).toContain('"decision":"block"');
    const { receipt } = JSON.parse((await project.run(['receipt', 'host1', '--json'])).stdout);
    expect(receipt).toMatchObject({
      ...{ outcome: 'blocked', isProven: false, claim: 'Done, I promise.', spend: null },
      checks: [{ name: 'tests', outcome: 'failed', exitCode: 1 }],
      tree: { files: ['a.txt'], fileCount: 1 },
      evidence: { last_check: { command: 'npm test', exit_code: 1, duration_ms: 2000 } },
    });
    const waived = await project.run(['waive', 'host1', '--check', 'tests', '--reason', 'the sandbox is down']);
    expect(waived.code).toBe(0);
    await hook(project, 'stop', stop);
    const page = await project.run(['receipt', 'host1']);
    expect(page.stdout).toMatch(
      /Not proven: waived[\s\S]*tests: exit 1 after .*accepted by a person: the sandbox is down/,
    );
    expect((await project.run(['why', 'host1'])).stdout).toMatch(/accepted that tests fails: the sandbox is down/);
  });

  it('any unique start of an id is enough, and an ambiguous one is answered with the candidates', async () => {
    const { project } = await repository(() => undefined);
    await using _project = project;
    for (const session_id of ['abcdefgh-one', 'abcdefgh-two'])
      await hook(project, 'stop', { session_id, hook_event_name: 'Stop' });
    for (const command of ['why', 'receipt', 'waive']) {
      const { code, stdout, stderr } = await project.run([command, 'abcdefgh']);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^stopgate: "abcdefgh" is the start of 2 sessions; give more of the id:\n/);
      expect(stderr).toMatch(
        /\n {2}abcdefgh-one {2}skipped, (?:just now|\d+.*ago), \/.*\n {2}abcdefgh-two {2}skipped, /,
      );
    }
    expect((await project.run(['why', 'abcdefgh-o'])).stdout).toContain('Session abcdefgh-one');
    const { stdout } = await project.run(['status']);
    expect(stdout).toContain('abcdefgh-o ');
    expect(stdout).toContain('abcdefgh-t ');
  });

  it('a launch is named by its own id, or the start of it', async () => {
    await using project = await testProject();
    const report = await project.run(['launch', '--time-budget', '1m', '--json', '--agent', 'true', '--', 'x']);
    const { id } = report.lines.find(({ type }) => type === 'launch_report');
    expect((await project.run(['why', id.slice(0, 6)])).stdout).toContain(`Session launch-${id}`);
    expect((await project.run(['receipt', id])).stdout).toContain(`launch-${id}`);
    expect((await project.run(['report'])).stdout).toContain(`launch-${id}  true`);
  });

  it('a stop that nothing checks is on record as such', async () => {
    await using project = await testProject(() => undefined);
    await hook(project, 'stop', { hook_event_name: 'Stop', last_assistant_message: 'Done.' });
    expect(lines(project)).toMatchObject([{ type: 'stop', ending: { type: 'notArmed' }, claim: 'Done.' }]);
    expect((await project.run(['receipt'])).stdout).toContain('Nothing was armed');
  });

  it.each([
    [['why', 'zzz'], 'No session on record begins with "zzz"'],
    [['why'], 'No session of'],
    [['receipt', 'verify', 'nothing.json'], 'there is no such file'],
    [['report', '--since', 'yesterday'], '--since must be a duration such as 90m, 12h, 1d or 2w'],
  ])('%j is answered in one sentence', async (args, sentence) => {
    await using project = await testProject(() => undefined);
    const { code, stderr } = await project.run(args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
