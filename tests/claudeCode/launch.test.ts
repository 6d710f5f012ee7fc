import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer, ServerReply } from '../../src/testing/modelServer.ts';
import { findClaudeCode, QUIET_CLAUDE } from '../support/claudeCode.ts';
import { ALL_HOSTS, everyday } from '../support/hosts/allHosts.ts';
import { type TestProject, testProject } from '../support/project.ts';

const claude = await findClaudeCode();
if (claude.type === 'missing') process.stdout.write(`tests/claudeCode/launch is skipped: ${claude.reason}\n`);

const SETTINGS = '.claude/settings.local.json';
/** Odd on purpose: tabs, an unknown key, no line end. */
const ODD_SETTINGS = '{\n\t"unknown": [1,2],\n\t"permissions": {"allow": ["Bash(true)"]}\n}';

/** Answers the agent's own requests in order; its side requests (titles and the like) get a word. */
function script(...replies: readonly (ServerReply | ((said: string) => ServerReply))[]): Answer {
  let at = 0;
  return (body) => {
    if ((body.tools ?? []).length < 3) return { text: 'ok' };
    const reply = replies[Math.min(at++, replies.length - 1)] ?? { text: 'done' };
    return typeof reply === 'function' ? reply(JSON.stringify(body.messages.at(-1))) : reply;
  };
}

const bash = (command: string, more: object = {}): ServerReply => ({
  tools: [{ name: 'Bash', input: { command, description: 'x', ...more } }],
});

/** What the model was told besides the agent's own instructions, as one text. */
const toldModel = ({ server }: TestProject) =>
  server.seen
    .flatMap(({ body }) => body.messages.slice(1))
    .map(({ content }) => JSON.stringify(content))
    .filter((text) => !text.includes('# Environment'))
    .join('\n');

async function repository(answer: Answer): Promise<TestProject> {
  const project = await testProject(answer);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'first');
  return project;
}

const env = {
  ...QUIET_CLAUDE,
  STOPGATE_CLAUDE: claude.type === 'installed' ? claude.program : '',
};
const launch = (project: TestProject, options: readonly string[], prompt = 'do it') =>
  project.start(['launch', ...options, '--', '-p', prompt, '--allowedTools=Bash,Write,Edit'], { env });

describe.skipIf(claude.type === 'missing')('launch, with the real Claude Code', { timeout: 60_000 }, () => {
  const TIERS: readonly (readonly [string, string, RegExp])[] = [
    ['plenty', '20m', /BUDGET: (?:20m00s|19m\d\ds) remaining/],
    ['wrap up', '4m', /▲ BUDGET: (?:4m00s|3m\d\ds) remaining — wrap up and commit soon/],
    ['a short budget', '100s', /"[^"]*[^▲] BUDGET: 1m\d\ds remaining(?! —)/],
  ];
  it.each(everyday('tests/claudeCode/launch', TIERS, ([tier]) => tier === 'wrap up'))(
    'tells the model after each tool call how much is left: %s',
    async (_tier, budget, words) => {
      await using project = await repository(script(bash('git status'), bash('git log'), { text: 'done' }));
      const { code, stdout, stderr } = await launch(project, ['--time-budget', budget]).ended;
      expect(stderr).toContain('claude finished: it ended by itself.');
      expect([code, stdout]).toEqual([0, 'done\n']);
      const last = JSON.stringify(project.server.seen.at(-1)?.body.messages);
      expect(last.match(new RegExp(words, 'g'))?.length).toBeGreaterThanOrEqual(2);
      expect(existsSync(path.join(project.dir, '.claude'))).toBe(false);
    },
  );

  it('ends it when the clock has run out, tells it so before, and keeps what it never committed', async () => {
    await using project = await repository(
      script(
        bash(`echo precious > unfinished.txt; perl -e 'select undef, undef, undef, 6'`),
        // over: only commits and reads run any more
        bash('echo more >> unfinished.txt'),
        bash('git status'),
        { text: 'never', delayMs: 60_000 },
      ),
    );
    project.write(SETTINGS, ODD_SETTINGS);
    const run = launch(project, [
      '--time-budget',
      '6s',
      '--grace',
      '8s',
      '--report',
      path.join(project.home, 'r.json'),
    ]);
    const { code, stderr } = await run.ended;
    expect(code, stderr).toBe(124);
    expect(toldModel(project)).toContain('▲▲▲ BUDGET EXPIRED — COMMIT NOW AND EXIT ▲▲▲');
    expect(toldModel(project)).toMatch(/The time budget is over: only commits and reads|tools no longer run/);
    const report = JSON.parse(readFileSync(path.join(project.home, 'r.json'), 'utf8'));
    expect(report).toMatchObject({ how: 'expired', exitCode: 124, kept: { type: 'kept', files: expect.any(Number) } });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8' });
    expect(git('show', `${report.kept.where}:unfinished.txt`)).toBe('precious\n');
    expect(git('log', '--format=%s', 'main')).toBe('first\n');
    // the one command that the report prints brings it back
    rmSync(path.join(project.dir, 'unfinished.txt'));
    const [program, ...words] = report.kept.recover.split(' ');
    expect(program).toBe('stopgate');
    expect(await project.run(words)).toMatchObject({ code: 0 });
    expect(project.read('unfinished.txt')).toBe('precious\n');
    expect(project.read(SETTINGS)).toBe(ODD_SETTINGS);
  });

  it('names and ends what it left running', async () => {
    const leaves = bash('setsid sleep 306 > /dev/null 2>&1 & echo started');
    await using left = await repository(script(leaves, { text: 'done' }));
    const { code, lines, stderr } = await launch(left, ['--time-budget', '20m', '--json']).ended;
    expect(lines.at(-1), stderr).toMatchObject({ how: 'left_running', leftRunning: [{ command: 'sleep 306' }] });
    expect(code).toBe(122);
  });

  // tests/cli has it of an agent that is a script
  it.runIf(ALL_HOSTS)('names what it did not do', async () => {
    await using nothing = await repository(() => ({ text: '' }));
    const empty = await launch(nothing, ['--time-budget', '20m', '--json']).ended;
    expect(empty.lines.at(-1), empty.stderr).toMatchObject({ how: 'no_work', exitCode: 121 });
  });

  it('refuses a tool that asks for more time than is left', async () => {
    await using project = await repository(script(bash('make everything', { timeout: 600_000 }), { text: 'done' }));
    const { code } = await launch(project, ['--time-budget', '5m']).ended;
    expect(code).toBe(0);
    expect(toldModel(project)).toMatch(/This may take 10m, but only (?:5m|4m\d\ds) of the time budget is left/);
  });

  // src/hosts/settings/holdSettings.test.ts has it of processes that hold the same file
  it.runIf(ALL_HOSTS)(
    'does not disturb a second launch in the same folder, and brings the settings back with the last',
    async () => {
      const gate = Promise.withResolvers<void>();
      await using first = await repository(async (body) => {
        if ((body.tools ?? []).length < 3) return { text: 'ok' };
        if (body.messages.length === 1) return bash('git status');
        await gate.promise;
        return { text: 'first is done' };
      });
      first.write(SETTINGS, ODD_SETTINGS);
      const slow = launch(first, ['--time-budget', '20m']);
      await new Promise<void>((resolve) => {
        const look = setInterval(() => {
          if (first.server.seen.some(({ body }) => body.messages.length > 1 && body.tools?.length > 2)) {
            clearInterval(look);
            resolve();
          }
        }, 20);
      });
      await using server = await testProject(script(bash('git log'), { text: 'second is done' }));
      const quick = first.start(['launch', '--time-budget', '4m', '--', '-p', 'x', '--allowedTools=Bash'], {
        env: { ...env, ANTHROPIC_BASE_URL: server.server.url },
      });
      expect((await quick.ended).stdout).toBe('second is done\n');
      expect(toldModel(server)).toMatch(/▲ BUDGET: (?:4m00s|3m\d\ds) remaining/);
      // the first one still has its hooks
      expect(first.read(SETTINGS)).toContain('budget-countdown.sh');
      gate.resolve();
      const { stdout } = await slow.ended;
      expect(stdout).toBe('first is done\n');
      expect(toldModel(first)).not.toContain('▲ BUDGET');
      expect(first.read(SETTINGS)).toBe(ODD_SETTINGS);
    },
  );

  // src/hosts/settings/holdSettings.test.ts kills at every step
  it.runIf(ALL_HOSTS)('leaves settings that `stopgate remove` mends when the launcher is killed', async () => {
    await using project = await repository(script({ text: 'never', delayMs: 60_000 }));
    project.write(SETTINGS, ODD_SETTINGS);
    const run = launch(project, ['--time-budget', '20m']);
    await new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (project.server.seen.length > 0) {
          clearInterval(look);
          resolve();
        }
      }, 20);
    });
    run.child.kill('SIGKILL');
    await run.ended;
    expect(project.read(SETTINGS)).toContain('budget-countdown.sh');
    const removed = await project.run(['remove']);
    expect(removed.code, removed.stderr).toBe(0);
    expect(project.read(SETTINGS)).toBe(ODD_SETTINGS);
  });
});

describe.skipIf(claude.type === 'missing')('init, with the real Claude Code', { timeout: 60_000 }, () => {
  it('sends it back while a check fails, and lets it go when it passes', async () => {
    await using project = await repository(
      script({ text: 'I am done.' }, bash('echo good > state.txt'), { text: 'Now I am done.' }),
    );
    mkdirSync(path.join(project.dir, '.claude'));
    writeFileSync(path.join(project.dir, SETTINGS), ODD_SETTINGS);
    project.write('stopgate.config.json', '{"checks":[{"name":"state","command":"cat state.txt","when":"always"}]}');
    const init = await project.run(['init', '--yes']);
    expect(init.code, init.stderr).toBe(0);
    expect((await project.run(['init', '--yes'])).code).toBe(0);
    const program = claude.type === 'installed' ? claude.program : '';
    const stdout = execClaude(program, project, ['-p', 'do it', '--allowedTools=Bash']);
    expect(await stdout).toBe('Now I am done.\n');
    expect(toldModel(project)).toContain('Not done yet: 1 of 1 check failed.');
    // Claude Code names the hook beside its reason: by its status message, not by a command line of absolute paths
    expect(toldModel(project)).toContain('Stop hook blocking error from command: \\"stopgate\\": Not done yet');
    expect(toldModel(project)).not.toContain('hook.cjs');
    expect(toldModel(project)).toContain('cat: state.txt: No such file or directory');
    const removed = await project.run(['remove']);
    expect(removed.code, removed.stderr).toBe(0);
    expect(project.read(SETTINGS)).toBe(ODD_SETTINGS);
  });
});

async function execClaude(program: string, project: TestProject, args: readonly string[]): Promise<string> {
  const { promisify } = await import('node:util');
  const { execFile } = await import('node:child_process');
  const surroundings = {
    PATH: process.env.PATH,
    HOME: project.home,
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: project.server.url,
    ...QUIET_CLAUDE,
  };
  const running = promisify(execFile)(program, [...args], { cwd: project.dir, env: surroundings, timeout: 45_000 });
  running.child.stdin?.end();
  return (await running).stdout;
}
