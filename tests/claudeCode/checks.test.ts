import { execFile, execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Answer, ServerReply } from '../../src/testing/modelServer.ts';
import { findClaudeCode, QUIET_CLAUDE } from '../support/claudeCode.ts';
import { ALL_HOSTS, everyday } from '../support/hosts/allHosts.ts';
import { gateLines } from '../support/ledger.ts';
import { type TestProject, testProject } from '../support/project.ts';

const claude = await findClaudeCode();
if (claude.type === 'missing') process.stdout.write(`tests/claudeCode/checks is skipped: ${claude.reason}\n`);
const program = claude.type === 'installed' ? claude.program : '';

/** Every request of the agent itself gets this; its side requests (titles and the like) get a word. */
const always =
  (reply: ServerReply): Answer =>
  (body) =>
    (body.tools ?? []).length < 3 ? { text: 'ok' } : reply;
const LIAR = always({ text: 'All tests pass. Done.' });

/** A repository whose tests fail. */
async function repository(answer: Answer = LIAR): Promise<TestProject> {
  const project = await testProject(answer);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}]}');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  return project;
}

async function initialized(answer?: Answer): Promise<TestProject> {
  const project = await repository(answer);
  const init = await project.run(['init', '--yes']);
  expect(init.code, init.stderr).toBe(0);
  return project;
}

async function runClaude(project: TestProject, args: readonly string[], input = '') {
  const env = {
    PATH: process.env.PATH,
    HOME: project.home,
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: project.server.url,
    ...QUIET_CLAUDE,
  };
  const running = promisify(execFile)(program, [...args], { cwd: project.dir, env, timeout: 45_000 });
  running.child.stdin?.end(input);
  return running;
}

const endings = (project: TestProject): string[] =>
  gateLines(path.join(project.home, '.stopgate')).flatMap(({ ending }) => ending?.reason ?? []);
const STALLED = 'stalled (still failing: tests; no file changed in the last 3 stops)';

describe.skipIf(claude.type === 'missing')('checks, with the real Claude Code', { timeout: 60_000 }, () => {
  // what its words allow is decided by mayClaudeEdit, which has a table of its own
  const FILE = 'tests/claudeCode/checks';
  const EDITS: readonly (readonly [string, readonly string[]])[] = [
    ['a rule', ['--allowedTools=Edit']],
    ['rules as words', ['--allowedTools', 'Bash(npm test)', 'Write']],
    ['the mode', ['--permission-mode', 'acceptEdits']],
    ['--settings', ['--settings', '{"permissions":{"allow":["Edit"]}}']],
  ];
  it.each(everyday(FILE, EDITS, ([what]) => what === 'rules as words'))(
    'holds claude -p that may edit by %s, although it does nothing',
    async (_what, args) => {
      await using project = await initialized();
      const { stdout, stderr } = await runClaude(project, ['-p', 'Fix the failing test', ...args]);
      // text output shows nothing of any hook: that is why `launch` and `status` say it
      expect([stdout, stderr]).toEqual(['All tests pass. Done.\n', '']);
      expect(endings(project)).toEqual(['failed (tests)', 'failed (tests)', STALLED]);
    },
  );

  const READS: readonly (readonly [string, readonly string[]])[] = [
    ['nothing', []],
    ['one command', ['--allowedTools=Bash(npm test)']],
    ['reading', ['--permission-mode', 'acceptEdits', '--tools', 'Read,Grep,Glob']],
  ];
  it.each(everyday(FILE, READS, ([what]) => what === 'reading'))(
    'does not hold claude -p that may do %s',
    async (_what, args) => {
      await using project = await initialized();
      await runClaude(project, ['-p', 'Why does it fail?', ...args]);
      expect(endings(project)).toEqual(['skipped (nothing changed)']);
    },
  );

  // with other words it is the first test again
  it.runIf(ALL_HOSTS)('shows the person in stream-json that it stalled', async () => {
    await using project = await initialized();
    const args = ['-p', 'Fix it', '--allowedTools=Edit', '--output-format', 'stream-json', '--verbose'];
    const { stdout } = await runClaude(project, args);
    expect(stdout).toMatch(/"subtype":"informational","content":"Stop says: Stopgate: stalled\. 1 check still failing/);
  });

  it('holds what a session broke before a /clear', async () => {
    await using project = await initialized();
    const said = ['one', '/clear', 'two'].map((content) =>
      JSON.stringify({ type: 'user', message: { role: 'user', content } }),
    );
    // broken by the first session, seen from the hooks of the real thing
    const settings = { hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: 'echo broken > broken.js' }] }] } };
    const stream = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    await runClaude(project, ['-p', ...stream, '--settings', JSON.stringify(settings)], `${said.join('\n')}\n`);
    expect(endings(project)[0]).toBe('skipped (nothing changed)');
    expect(endings(project)[1]).toBe('failed (tests)');
  });

  // tests/cli/checks has what it sends us then
  it.runIf(ALL_HOSTS)('holds what a session broke before it was forked', async () => {
    await using project = await initialized();
    await runClaude(project, ['-p', 'one']);
    writeFileSync(path.join(project.dir, 'broken.js'), 'broken');
    await runClaude(project, ['-p', 'two', '--continue', '--fork-session']);
    expect(endings(project).slice(0, 2)).toEqual(['skipped (nothing changed)', 'failed (tests)']);
  });
});

describe.skipIf(claude.type === 'missing')('checks of a launch, with the real Claude Code', { timeout: 60_000 }, () => {
  const launch = async (project: TestProject, options: readonly string[], args = ['--allowedTools=Edit,Bash']) => {
    const words = ['--', '-p', 'Fix the failing test', ...args];
    const env = { ...QUIET_CLAUDE, STOPGATE_CLAUDE: program };
    const end = await project.run(['launch', '--time-budget', '20m', '--json', ...options, ...words], { env });
    return { ...end, report: end.lines.find(({ type }) => type === 'launch_report') };
  };
  const trust = async (project: TestProject) => expect((await project.run(['trust', '--yes'])).code).toBe(0);

  it('does not call a stall finished', async () => {
    await using project = await repository();
    await trust(project);
    const { code, report, stderr } = await launch(project, []);
    expect([code, report.how, report.checks.reason]).toEqual([123, 'finished', STALLED]);
    expect(stderr).toContain('stopgate: Checks armed: tests.\n');
    expect(stderr).toContain('claude finished: it ended by itself, but its checks did not pass.');
    const status = await project.run(['status']);
    expect(status.stdout).toMatch(/claudeCode, launch [0-9a-f]{8} +3 += stalled +stalled \(still failing: tests/);
  });

  // what its words allow is not asked for a launch, see the table of mayClaudeEdit
  it.runIf(ALL_HOSTS)('holds an agent that may only read: a launch is an order', async () => {
    await using project = await repository();
    await trust(project);
    const { report } = await launch(project, [], []);
    expect(report.checks.type).toBe('stalled');
  });

  // tests/cli/launchChecks has it of an agent that is a script
  it.runIf(ALL_HOSTS)('says before and after that an untrusted folder is not checked', async () => {
    await using project = await repository();
    const { code, report, stderr } = await launch(project, []);
    expect([code, report.checks]).toEqual([123, expect.objectContaining({ type: 'skipped', why: 'notTrusted' })]);
    expect(stderr).toMatch(/^stopgate: Checks not run at the stop \(tests, .*stopgate\.config\.json\): .*not trusted/m);
  });

  it('passes with proof when the agent did the work', async () => {
    let asked = 0;
    await using project = await repository((body) => {
      if ((body.tools ?? []).length < 3) return { text: 'ok' };
      return asked++ === 1
        ? { tools: [{ name: 'Bash', input: { command: 'touch fixed', description: 'fix' } }] }
        : { text: 'Done.' };
    });
    await trust(project);
    const { code, report, stderr } = await launch(project, ['--require-proof']);
    expect([code, report.checks.reason], stderr).toEqual([0, 'passed (tests)']);
  });

  // tests/cli/launchChecks has it of an agent that is a script
  it.runIf(ALL_HOSTS)('names hooks that are switched off, and wants no proof by them', async () => {
    await using project = await repository();
    await trust(project);
    project.write('../home/.claude/settings.json', '{"disableAllHooks":true}');
    const off = await launch(project, []);
    expect([off.code, off.report.checks.type]).toEqual([0, 'notArmed']);
    expect((await launch(project, ['--require-proof'])).code).toBe(123);
  });

  it.runIf(ALL_HOSTS)('keeps init’s own hook from holding it with --no-checks', async () => {
    await using project = await initialized();
    const { code, report } = await launch(project, ['--no-checks']);
    expect([code, report.checks]).toEqual([0, expect.objectContaining({ reason: 'not armed (--no-checks)' })]);
  });
});
