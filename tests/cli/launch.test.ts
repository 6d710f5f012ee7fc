import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN, type TestProject, testProject } from '../support/project.ts';

async function repository(
  answer?: Parameters<typeof testProject>[0],
): Promise<TestProject & { git(...args: string[]): string }> {
  const project = await testProject(answer);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  git('commit', '-q', '--allow-empty', '-m', 'first');
  return Object.assign(project, { git });
}

const launch = (project: TestProject, options: readonly string[], ...words: string[]) =>
  project.start(['launch', '--time-budget', '20m', '--json', ...options, '--', ...words]);
const sh = (script: string) => ['--agent', `sh -c '${script}' sh`];

/** A process with exactly these words; the launcher has them among its own. */
const isRunning = (words: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .some((line) => line.trim() === words);

describe('stopgate launch', () => {
  it('passes output and exit code through, and reports what was seen', async () => {
    await using project = await repository();
    const { code, stdout, stderr, lines } = await launch(
      project,
      sh('echo out; echo err >&2; git commit -q --allow-empty -m "Did it"; exit 7'),
      'prompt',
    ).ended;
    expect(code).toBe(7);
    expect(stdout).toMatch(/^out\n/);
    expect(stderr).toMatch(/^stopgate: sh has 20m, until \d\d:\d\d:\d\d, then 2m to land\.\n/);
    expect(stderr).toContain('\nerr\n');
    expect(lines[0]).toMatchObject({
      how: 'failed',
      why: 'it exited with code 7',
      commits: [{ subject: 'Did it' }],
      kept: { type: 'nothing' },
    });
  });

  it('prints the report on a line of its own after output that ends no line', async () => {
    await using project = await repository();
    const { stdout } = await launch(project, sh('printf half'), 'x').ended;
    expect(stdout).toMatch(/^half\n\{"type":"launch_report".*\}\n$/);
  });

  it('sets the clock in the environment, and takes its record away again', async () => {
    await using project = await repository();
    const { stdout } = await launch(project, sh('env; ls "$HOME/.stopgate/launches"'), 'x').ended;
    const [, end] = /^STOPGATE_BUDGET_END=(\d+)$/m.exec(stdout) ?? [];
    const left = Number(end) - Date.now() / 1000;
    expect(left).toBeGreaterThan(1150);
    expect(left).toBeLessThanOrEqual(1200);
    expect(stdout).toContain(`AUTORESEARCH_BUDGET_END=${end}`);
    expect(stdout).toContain(`STOPGATE_GRACE_END=${Number(end) + 120}`);
    expect(stdout).toMatch(/^[0-9a-f]{8}\.json$/m);
    expect(readdirSync(path.join(project.home, '.stopgate/launches'))).toEqual([]);
  });

  it('keeps work however the agent ends, without touching branch, index or files', async () => {
    await using project = await repository();
    project.write('staged.txt', 'staged');
    project.git('add', 'staged.txt');
    const before = project.git('status', '--porcelain');
    const { lines, stderr } = await launch(project, sh('echo new > new.txt; kill -9 $$'), 'x').ended;
    expect(lines[0]).toMatchObject({
      how: 'crashed',
      why: 'it was ended by SIGKILL',
      // staged.txt was there before
      kept: { type: 'kept', files: 1, earlierFiles: 1, recover: `stopgate restore ${lines[0].id}` },
    });
    expect(stderr).toContain('kept     1 file and 1 changed before the start at refs/stopgate/wip/');
    expect(project.git('show', `${lines[0].kept.where}:new.txt`)).toBe('new\n');
    expect(project.git('status', '--porcelain')).toBe(`${before}?? new.txt\n`);
    expect(project.git('branch', '--format=%(refname:short)')).toBe('main\n');
    expect(stderr).toContain(lines[0].kept.recover);
  });

  it('ends the whole group when somebody interrupts, and still keeps the work', async () => {
    await using project = await repository();
    const run = launch(project, sh('echo work > work.txt; sleep 600 & trap "" INT TERM; echo started; wait'), 'x');
    await run.sees('started');
    run.child.kill('SIGTERM');
    const { code, lines } = await run.ended;
    expect(code).toBe(143);
    expect(lines[0]).toMatchObject({ how: 'stopped', why: 'SIGTERM was received', kept: { files: 1 } });
  });

  it('passes piped input on, byte for byte and as it comes', async () => {
    await using project = await repository();
    const bytes = randomBytes(3_000_000);
    writeFileSync(path.join(project.dir, '../bytes'), bytes);
    const words = [...sh('sha256sum'), '--', 'x'].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const line = `(cat ../bytes; echo first >&2; cat) | '${process.execPath}' '${BIN}' launch -q --time-budget 20m ${words}`;
    const child = spawn('sh', ['-c', line], { cwd: project.dir, env: { PATH: process.env.PATH, HOME: project.home } });
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    // the rest is piped in while the agent already reads
    await once(child.stderr, 'data');
    child.stdin.end('and more');
    const [code] = await once(child, 'close');
    const digest = createHash('sha256').update(bytes).update('and more').digest('hex');
    expect([code, stdout]).toEqual([0, `${digest}  -\n`]);
  });

  it('keeps what was uncommitted before the start, also when the agent discards it', async () => {
    await using project = await repository();
    project.write('tracked', 'committed');
    project.git('add', '-A');
    project.git('commit', '-qm', 'second');
    project.write('tracked', 'PRECIOUS');
    project.write('untracked', 'PRECIOUS too');
    const { lines, stderr } = await launch(project, sh('git checkout -q .; git clean -fdq'), 'x').ended;
    expect(lines[0].kept).toMatchObject({ type: 'nothing' });
    const id = lines[0].id;
    expect(stderr).toContain(`an earlier state is kept: stopgate restore ${id}`);
    expect((await project.run(['restore', id])).code).toBe(0);
    expect([project.read('tracked'), project.read('untracked')]).toEqual(['PRECIOUS', 'PRECIOUS too']);
  });

  it('refuses a report that could not be written before the agent starts', async () => {
    await using project = await repository();
    for (const file of ['missing/report.json', '.']) {
      const { code, stderr, stdout } = await project.run([
        ...['launch', '--time-budget', '20m', '--report', file],
        ...[...sh('echo started'), '--', 'x'],
      ]);
      expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
      expect(stderr).toContain(`--report ${file} cannot be written`);
    }
  });

  it('says so, and does not exit 0, when the report cannot be written at the end', async () => {
    await using project = await repository();
    mkdirSync(path.join(project.dir, 'out'));
    const report = ['--report', 'out/report.json'];
    const { code, stderr } = await launch(project, [...report, ...sh('rmdir out')], 'x').ended;
    expect(code).toBe(74);
    expect(stderr).toContain('The report could not be written to out/report.json (ENOENT).');
  });

  it('needs no prompt for a command, prints each note once, and names what Ctrl-C ends', async () => {
    await using project = await repository();
    const run = project.start(['launch', '--time-budget', '20m', '--agent', 'sleep 600', '--worktree']);
    await run.sees('worktree');
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect(code).toBe(130);
    expect(stderr).toContain('Interrupted: ending the agent.');
    expect(stderr.match(/git worktree remove/g)).toHaveLength(1);
  });

  it('says when no permission lets a headless agent work, and nothing when one does', async () => {
    await using project = await repository();
    const fake = project.write('../fake-claude', '#!/bin/sh\nexit 0\n');
    execFileSync('chmod', ['+x', fake]);
    const start = (...words: string[]) =>
      project.run(['launch', '--time-budget', '20m', '--', ...words], { env: { STOPGATE_CLAUDE: fake } });
    expect((await start('x')).stderr).toMatch(/^stopgate: Claude Code runs headless and cannot ask for permission/m);
    expect((await start('x', '--permission-mode', 'acceptEdits')).stderr).not.toContain('cannot ask');
  });

  it('keeps our hooks out of what the agent commits', async () => {
    await using project = await repository();
    const fake = project.write('../fake-claude', '#!/bin/sh\necho x > f; git add -A; git commit -qm all\n');
    execFileSync('chmod', ['+x', fake]);
    const run = project.start(['launch', '--time-budget', '20m', '--json', '--', 'x'], {
      env: { STOPGATE_CLAUDE: fake },
    });
    const { lines } = await run.ended;
    expect(lines[0]).toMatchObject({ commitCount: 1, kept: { type: 'nothing' } });
    expect(project.git('show', '--name-only', '--format=', 'HEAD')).toBe('f\n');
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('ends what left the process group', async () => {
    await using project = await repository();
    const run = launch(
      project,
      sh('setsid sleep 613 & echo started; trap "" INT TERM; while :; do sleep 1; done'),
      'x',
    );
    await run.sees('started');
    run.child.kill('SIGTERM');
    await run.ended;
    await expect.poll(() => isRunning('sleep 613')).toBe(false);
  });

  it('keeps to its deadline although a snapshot takes long', async () => {
    await using project = await repository();
    project.git('config', 'filter.slow.clean', 'sleep 60');
    project.write('.gitattributes', '* filter=slow\n');
    const agent = sh('echo started; exec sleep 617');
    const run = project.start(['launch', '--time-budget', '1s', '--grace', '1s', '-q', ...agent, '--', 'x']);
    await run.sees('started');
    await expect.poll(() => isRunning('sleep 617'), { timeout: 20_000, interval: 100 }).toBe(false);
    run.child.kill('SIGKILL');
    await run.ended;
  });

  it('works in a work tree of its own and commits on its branch', async () => {
    await using project = await repository();
    const { lines } = await launch(project, ['--worktree', ...sh('pwd; echo new > new.txt')], 'x').ended;
    const { kept, folder } = lines[0];
    expect(folder).not.toBe(project.dir);
    expect(existsSync(path.join(project.dir, 'new.txt'))).toBe(false);
    const [, branch] = /^branch (sg\/\S+)$/.exec(kept.where) ?? [];
    expect(project.git('show', `${branch}:new.txt`)).toBe('new\n');
    expect(project.git('log', '--format=%s', 'main')).toBe('first\n');
  });

  it('commits on the branch when asked', async () => {
    await using project = await repository();
    const { lines } = await launch(project, ['--commit', 'branch', ...sh('echo new > new.txt')], 'x').ended;
    expect(lines[0]).toMatchObject({ kept: { where: 'branch main', recover: null }, commitCount: 1 });
    expect(project.git('status', '--porcelain')).toBe('');
  });

  describe('with our own agent', () => {
    const bash = { name: 'Bash', input: { command: 'true', description: 'x' } };
    // the default model's price is $10 for a million tokens
    const working = () => ({ text: 'on', tools: [bash], usage: { in: 0, out: 1000 } });
    const own = (limit: readonly string[], ...words: string[]) => [
      ...limit,
      '--agent',
      'stopgate',
      '--',
      'x',
      ...words,
    ];
    const start = (project: TestProject, args: readonly string[]) =>
      project.run(['launch', '--time-budget', '20m', '--json', ...args]);

    it.each([
      // the next request would exceed the money, so it is not sent; tokens are known only after an answer
      [['--max-budget-usd', '0.015'], { how: 'stopped', why: 'it spent $0.01 of the $0.015 it had' }, 1],
      [['--token-budget', '1500'], { how: 'stopped', why: 'it wrote 2k tokens of the 1.5k it had' }, 2],
    ] as const)('ends it at %j as stopped by a limit, with what it spent', async (limit, report, requests) => {
      await using project = await repository(working);
      const { code, lines, stderr } = await start(project, own(limit, '--allowedTools', 'Bash'));
      expect(lines.at(-1)).toMatchObject({ ...report, exitCode: 125, spend: { outputTokens: 1000 * requests } });
      expect(lines.at(-1).spend.usd).toBeCloseTo(0.01 * requests);
      expect(project.server.seen).toHaveLength(requests);
      expect(code).toBe(125);
      expect(stderr).toContain(`stopgate was stopped: ${report.why}`);
      expect(stderr).toContain(`${requests}k output tokens, $0.0${requests}00`);
    });

    it('takes a limit among its own words for one as well', async () => {
      await using project = await repository(working);
      const words = ['--allowedTools', 'Bash', '--token-limit', '10'];
      const { code, lines } = await start(project, own([], ...words));
      expect(lines.at(-1)).toMatchObject({ how: 'stopped', why: 'it wrote all tokens of its own --token-limit' });
      expect(code).toBe(125);
    });

    it('reports what it spent without a limit, and leaves no file behind', async () => {
      await using project = await repository(() => ({ text: 'done', usage: { out: 40 } }));
      const { code, lines } = await start(project, own([]));
      expect(lines.at(-1)).toMatchObject({ how: 'finished', spend: { outputTokens: 40, usd: expect.any(Number) } });
      expect(code).toBe(0);
      expect(readdirSync(path.join(project.home, '.stopgate/launches'))).toEqual([]);
    });
  });

  it('names a huge file that it leaves out', async () => {
    await using project = await repository();
    const { lines, stderr } = await launch(project, sh('truncate -s 60M huge.bin; echo x > small.txt'), 'x').ended;
    expect(lines[0].kept).toMatchObject({ files: 1, notes: [expect.stringMatching(/^left out huge\.bin: 63 MB/)] });
    expect(stderr).toContain('left out huge.bin');
  });

  it('says what it could not keep, and works outside of git', async () => {
    await using project = await testProject();
    const { code, lines, stderr } = await launch(project, sh('echo new > new.txt'), 'x').ended;
    expect(code).toBe(0);
    expect(lines[0].kept).toMatchObject({
      type: 'notKept',
      reason: expect.stringContaining('not in a git repository'),
    });
    expect(stderr).toContain('NOT KEPT');
  });

  it('says of an agent that is not there what is wrong', async () => {
    await using project = await repository();
    const { code, lines } = await launch(project, ['--agent', 'no-such-agent'], 'x').ended;
    expect(code).toBe(127);
    expect(lines[0]).toMatchObject({ how: 'notStarted', why: expect.stringContaining('no-such-agent') });
  });

  it.each([
    [['--time-budget', 'soon'], 'must be a duration'],
    [['--time-budget', '20m', '--commit', 'there'], 'wip (a private ref) or branch'],
    [['--time-budget', '20m', '--profile', 'nobody'], 'Profile nobody was not found'],
    [['--time-budget', '20m', '--max-budget-usd', 'much'], 'an amount above 0'],
    [['--time-budget', '20m', '--token-budget', 'much'], 'a number of tokens above 0'],
  ])('refuses %o in a sentence', async (options, sentence) => {
    await using project = await repository();
    const { code, stderr } = await project.run(['launch', ...options, '--', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(path.join(project.dir, '.claude'))).toBe(false);
  });

  it('refuses a broken settings file and leaves it as it is', async () => {
    await using project = await repository();
    project.write('.claude/settings.local.json', '{"hooks": ');
    const { code, stderr } = await project.run(['launch', '--time-budget', '20m', '--', 'x']);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(project.read('.claude/settings.local.json')).toBe('{"hooks": ');
  });

  it('gives our own agent the countdown, the landing and the checks without any settings', async () => {
    let asked = 0;
    const bash = (command: string, timeout?: number) => ({ tools: [{ name: 'Bash', input: { command, timeout } }] });
    const replies = [
      { text: 'Done.' },
      bash('make', 3_600_000),
      bash('git add -A'),
      bash('touch ok'),
      { text: 'Really done.' },
    ];
    await using project = await repository(() => replies[asked++]);
    project.write('stopgate.config.json', '{"checks":[{"name":"ok","command":"test -e ok","when":"always"}]}');
    const { code, stdout, stderr } = await project.start([
      ...['launch', '--time-budget', '20m', '--agent', 'stopgate', '--trust-project', '--'],
      ...['-p', 'do it', '--allowedTools', 'Bash'],
    ]).ended;
    expect(stdout, stderr).toContain('Really done.');
    expect(code).toBe(0);
    const told = JSON.stringify(project.server.seen.at(-1)?.body.messages);
    expect(told).toContain('Not done yet: 1 of 1 check failed.');
    expect(told).toMatch(/This may take 1h, but only (?:20m|19m\d\ds)/);
    expect(told).toMatch(/BUDGET: (?:20m00s|19m\d\ds) remaining/);
    expect(existsSync(path.join(project.dir, '.claude'))).toBe(false);
  });

  it('reads what Claude Code spends from its stream, and ends it', async () => {
    await using project = await repository();
    const line = JSON.stringify({
      type: 'assistant',
      message: { id: 'a', model: 'x', usage: { output_tokens: 5000 } },
    });
    const fake = project.write('fake-claude', `#!/bin/sh\necho '${line}'\nexec sleep 600\n`);
    execFileSync('chmod', ['+x', fake]);
    const { code, lines } = await project.start(
      ['launch', '--time-budget', '20m', '--json', '--token-budget', '4k', '--', 'x'],
      {
        env: { STOPGATE_CLAUDE: fake },
      },
    ).ended;
    expect(code).toBe(125);
    expect(lines.at(-1)).toMatchObject({
      how: 'stopped',
      why: 'it wrote 5k tokens of the 4k it had',
      spend: { outputTokens: 5000 },
    });
  });

  it('refuses a settings file with a comment, which Claude Code would ignore', async () => {
    await using project = await repository();
    project.write('.claude/settings.local.json', '{ // mine\n}\n');
    const env = { STOPGATE_CLAUDE: 'true' };
    const { code, stderr } = await project.start(['launch', '--time-budget', '20m', '--', 'x'], { env }).ended;
    expect(code).not.toBe(0);
    expect(stderr).toMatch(
      /settings\.local\.json:1:3 .*there is a comment.*Claude Code ignores a file that is not plain/,
    );
    expect(project.read('.claude/settings.local.json')).toBe('{ // mine\n}\n');
  });

  it('resolves a profile through symbolic links', async () => {
    await using project = await repository();
    const hooks = path.join(import.meta.dirname, '../../profiles/default');
    execFileSync('mkdir', ['-p', path.join(project.home, '.stopgate/profiles')]);
    execFileSync('ln', ['-s', hooks, path.join(project.home, '.stopgate/profiles/linked')]);
    const fake = project.write('fake-claude', '#!/bin/sh\ntr -d "\\n" < .claude/settings.local.json\n');
    execFileSync('chmod', ['+x', fake]);
    const { stdout } = await project.start(['launch', '--time-budget', '20m', '--profile', 'linked', '--', 'x'], {
      env: { STOPGATE_CLAUDE: fake },
    }).ended;
    const command = JSON.parse(stdout).hooks.PostToolBatch[0].hooks[0].command;
    expect(command).toBe(`"${path.join(hooks, 'hooks/budget-countdown.sh')}" PostToolBatch # stopgate`);
    expect(readFileSync(path.join(hooks, 'hooks/budget-countdown.sh'), 'utf8')).toContain('BUDGET');
  });
});
