import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CommandOptions, type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const DEFAULTS = { checks: [{ name: 'tests', command: 'test -e fixed' }] };
/** Ends at the second stop: how often a stop is refused is shown once. */
const FAILING = { ...DEFAULTS, stallAfter: 1 };
const TRUSTED: CommandOptions = { env: { STOPGATE_TRUST_PROJECT: '1' } };
const LIAR = () => ({ text: 'All tests pass. Done.' });

async function repository(config: object | null = FAILING, answer: Parameters<typeof testProject>[0] = LIAR) {
  const project = await testProject(answer);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  if (config !== null) project.write('stopgate.config.json', JSON.stringify(config));
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first', '--allow-empty');
  return project;
}

const OWN = ['--agent', 'stopgate'];
const launch = (project: TestProject, options: readonly string[], more: CommandOptions = {}) =>
  project.run(['launch', '--time-budget', '20m', '--json', ...options, '--', 'Fix the failing test'], more);
const trust = async (project: TestProject) => expect((await project.run(['trust', '--yes'])).code).toBe(0);
const reportOf = (lines: readonly { type?: string }[]) => lines.find(({ type }) => type === 'launch_report');

// each has a project and a home of its own, and mostly waits
describe('how the checks of a launch ended', { timeout: 90_000, concurrent: true }, () => {
  it('holds an agent that does nothing, and does not call its end finished', async () => {
    await using project = await repository(DEFAULTS);
    await trust(project);
    const report = path.join(project.home, 'report.json');
    const { code, lines, stderr } = await launch(project, [...OWN, '--report', report]);
    expect(code, stderr).toBe(123);
    const reason = 'stalled (still failing: tests; no file changed in the last 3 stops)';
    const expected = { how: 'finished', exitCode: 123, checks: { type: 'stalled', reason } };
    expect(reportOf(lines)).toMatchObject(expected);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject(expected);
    expect(stderr).toMatch(/^stopgate: stopgate has 20m, until .*\nstopgate: Checks armed: tests\.\n/);
    expect(stderr).toContain('stopgate: stopgate finished: it ended by itself, but its checks did not pass.\n');
    expect(stderr).toContain(`stopgate: checks   = ${reason}\n`);
    // the launch says it, so its agent does not
    expect(stderr.match(/Checks armed/g)).toHaveLength(1);
    expect(stderr.match(/stalled \(still failing/g)).toHaveLength(1);
    expect(stderr).toContain('Stop says: stalled. 1 check still failing');
  });

  it('says it although it should be quiet', async () => {
    await using project = await repository();
    const { code, stderr } = await launch(project, [...OWN, '-q'], TRUSTED);
    expect([code, stderr.includes('but its checks did not pass')]).toEqual([123, true]);
  });

  it('finishes with 0 when they pass, with proof', async () => {
    await using project = await repository({ checks: [{ name: 'tests', command: 'true' }] });
    const { code, lines } = await launch(project, [...OWN, '--require-proof'], TRUSTED);
    expect(reportOf(lines)).toMatchObject({ exitCode: 0, checks: { type: 'passed', reason: 'passed (tests)' } });
    expect(code).toBe(0);
  });

  it.each<[string, object | null, readonly string[], string, RegExp]>([
    [
      'an untrusted folder',
      FAILING,
      OWN,
      'skipped (the folder is not trusted)',
      /Checks not run at the stop \(tests, /,
    ],
    ['a broken file', { checks: 1 }, OWN, 'error (', /stopgate\.config\.json:1: checks: /],
  ])('names %s at the start and at the end, and exits with 123', async (_what, config, options, reason, start) => {
    await using project = await repository(config);
    const { code, lines, stderr } = await launch(project, options);
    expect([code, reportOf(lines)]).toEqual([
      123,
      expect.objectContaining({ checks: expect.objectContaining({ reason: expect.stringContaining(reason) }) }),
    ]);
    expect(stderr.split('\n')[1]).toMatch(start);
    const again = stderr.split('\n').filter((line) => start.test(line) && !line.startsWith('stopgate: checks  '));
    expect(again).toHaveLength(1);
  });

  const WITHOUT: readonly (readonly [string, object | null, readonly string[], string])[] = [
    ['no configuration', null, OWN, 'not armed (no stopgate.config.json)'],
    [
      'an agent without hooks',
      FAILING,
      ['--agent', 'true'],
      'not armed (no stop hook runs in true, and launch does not run checks after a command)',
    ],
    ['--no-checks', FAILING, [...OWN, '--no-checks', '--trust-project'], 'not armed (--no-checks)'],
  ];
  // an agent without hooks is below, too
  it.each(sampleOf(WITHOUT, ([what]) => what !== 'an agent without hooks'))(
    'without checks exits as the agent did: %s',
    async (_what, config, options, reason) => {
      await using project = await repository(config);
      const { code, lines, stderr } = await launch(project, options);
      expect([code, reportOf(lines)], stderr).toEqual([
        0,
        expect.objectContaining({ checks: expect.objectContaining({ reason }) }),
      ]);
      expect(stderr).toContain(`stopgate: checks   - ${reason}\n`);
    },
  );

  it('says before it starts that no checks follow a plain command, in the words of the docs', async () => {
    await using project = await repository();
    const { code, lines, stderr } = await launch(project, ['--agent', 'true']);
    expect([code, reportOf(lines)]).toMatchObject([
      0,
      { checks: { reason: expect.stringMatching(/^not armed \(no stop/) } },
    ]);
    const sentence = (name: string) => `no stop hook runs in ${name}, and launch does not run checks after a command`;
    expect(stderr).toContain(`stopgate: Checks are not armed: ${sentence('true')}.\n`);
    const docs = readFileSync(path.join(import.meta.dirname, '../../docs/launch.md'), 'utf8');
    expect(docs.replaceAll('\n', ' ')).toContain(`\`Checks are not armed: ${sentence('NAME')}.\``);
  });

  it('wants proof where there can be none: 123, and said at the start', async () => {
    await using project = await repository(null);
    const { code, stderr } = await launch(project, ['--agent', 'true', '--require-proof']);
    expect(code).toBe(123);
    expect(stderr).toContain('--require-proof: checks are not armed (no stopgate.config.json), so this run will exit');
    expect(stderr).toContain('finished: it ended by itself, but no checks were armed to prove it.');
    await using broken = await repository({ checks: 1 });
    const end = await launch(broken, [...OWN, '--require-proof']);
    expect(end.stderr).toContain('--require-proof: the checks cannot run, so this run will exit with 123.');
  });

  it('refuses to want proof and no checks', async () => {
    await using project = await repository();
    const { code, stderr } = await launch(project, ['--require-proof', '--no-checks', '--agent', 'true']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--require-proof and --no-checks cannot be combined')]);
  });

  it('keeps the exit code of an agent that failed by itself', async () => {
    await using project = await repository();
    const { code } = await launch(project, ['--agent', 'sh -c "exit 7"', '--require-proof']);
    expect(code).toBe(7);
  });

  it('names the settings file that switches hooks off', async () => {
    await using project = await repository();
    await trust(project);
    project.write('../home/.claude/settings.json', '{"disableAllHooks": true}');
    const claude = project.write('../claude', '#!/bin/sh\nexit 0\n');
    execFileSync('chmod', ['+x', claude]);
    const { stderr, lines } = await launch(project, [], { env: { STOPGATE_CLAUDE: claude } });
    expect(stderr).toMatch(/Checks are not armed: disableAllHooks is set in .*\.claude\/settings\.json\./);
    expect(reportOf(lines)).toMatchObject({ checks: { type: 'notArmed' } });
  });

  const DISARMED: readonly (readonly [string, string, object])[] = [
    ['claude', '.claude/settings.json', { disableAllHooks: true }],
    ['gemini', '.gemini/settings.json', { hooksConfig: { enabled: false } }],
    ['qwen', '.qwen/settings.json', { disableAllHooks: true }],
    ['copilot', '.github/copilot/settings.json', { disableAllHooks: true }],
  ];
  it.each(sampleOf(DISARMED, ([name]) => /claude|gemini/.test(name)))(
    'starts no %s that a file of the project disarms (%s), except with --no-checks',
    async (name, file, settings) => {
      await using project = await repository();
      await trust(project);
      project.write(file, JSON.stringify(settings));
      const bin = path.join(project.home, 'bin');
      execFileSync('chmod', ['+x', project.write(`../home/bin/${name}`, `#!/bin/sh\ntouch ${bin}/started\n`)]);
      const env = { GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: `${bin}:${process.env.PATH}` };
      const refused = await launch(project, ['--agent', name], { env });
      expect([refused.code, existsSync(path.join(bin, 'started'))], refused.stderr).toEqual([2, false]);
      expect(refused.stderr).toContain(`${file}; remove that there, or pass --no-checks`);
      const wanted = await launch(project, ['--agent', name, '--no-checks'], { env });
      expect(existsSync(path.join(bin, 'started')), wanted.stderr).toBe(true);
    },
  );

  it('says that an agent with hooks ended without asking them', async () => {
    await using project = await repository();
    await trust(project);
    const claude = project.write('../claude', '#!/bin/sh\necho Done.\n');
    execFileSync('chmod', ['+x', claude]);
    const { code, lines } = await launch(project, [], { env: { STOPGATE_CLAUDE: claude } });
    expect([code, reportOf(lines)]).toEqual([
      123,
      expect.objectContaining({ checks: expect.objectContaining({ type: 'notAsked' }) }),
    ]);
  });

  it('trusts a worktree of a trusted repository, and only that', async () => {
    await using project = await repository();
    const before = await launch(project, [...OWN, '--worktree']);
    expect(reportOf(before.lines)).toMatchObject({ checks: { why: 'notTrusted' } });
    await trust(project);
    const after = await launch(project, [...OWN, '--worktree']);
    expect(reportOf(after.lines), after.stderr).toMatchObject({ checks: { type: 'stalled' } });
    expect(existsSync(path.join(project.dir, 'fixed'))).toBe(false);
  });
});

describe('stopgate status', () => {
  it('says what is armed, and how each session ended', async () => {
    await using project = await repository(DEFAULTS);
    await launch(project, OWN, TRUSTED);
    const { stdout } = await project.run(['status'], TRUSTED);
    expect(stdout).toMatch(/Checks at stops\nChecks armed: tests\.\nWHEN +SESSION +AGENT +STOPS +OUTCOME +DETAILS\n/);
    expect(stdout).toMatch(
      /(?:just now|\d+.*ago) +[0-9a-f]{8} +stopgate, launch [0-9a-f]{8} +3 += stalled +stalled \(still failing: tests/,
    );
    const { gate } = (await project.run(['status', '--json'])).lines[0];
    expect(gate.sessions[0].stops.map(({ ending }: { ending: { type: string } }) => ending.type)).toEqual([
      'stalled',
      'blocked',
      'blocked',
    ]);
  });

  it('says so where no stop was checked', async () => {
    await using project = await testProject();
    const { stdout } = await project.run(['status']);
    expect(stdout).toContain(
      'No checks: there is no stopgate.config.json here.\nNo stop has been checked in this folder yet.',
    );
  });
});

/** An agent that runs one command and then says that it is done. */
const doing = (command: string) => (_body: unknown, index: number) =>
  index === 0 ? { tools: [{ name: 'Bash', input: { command } }] } : { text: 'Done.' };
/** As a program that the reader of command lines does not see through: a plain redirection is refused. */
const puts = (text: string) =>
  `node -e 'require("node:fs").writeFileSync("stopgate" + ".config.json", ${JSON.stringify(text)})'`;
const launchAll = (project: TestProject, options: readonly string[]) =>
  project.run(
    [
      ...['launch', '--time-budget', '20m', '--json', ...OWN, ...options],
      ...['--', 'Fix it', '--dangerously-skip-permissions'],
    ],
    TRUSTED,
  );

describe.concurrent('checks that are disarmed during a launch', () => {
  const CHANGES: readonly (readonly [string, string, RegExp])[] = [
    ['the list is emptied', puts('{"checks":[]}'), /^stalled .*\(removed: tests\); those from/],
    [
      'the file is deleted',
      'node -e \'require("node:fs").rmSync("stopgate" + ".config.json")\'',
      /^stalled .*\(removed: tests\); those from its start decided$/,
    ],
    [
      'Stopgate is switched off',
      'node -e \'require("node:fs").writeFileSync(process.env.HOME + "/." + "stopgate/off", "")\'',
      /^not armed \(Stopgate is switched off\); armed at/,
    ],
    [
      'the file is broken',
      puts('x'),
      /^stalled .*the checks changed during this session \(the file is broken now\); those from/,
    ],
    [
      'a check that waits for a change',
      puts('{"checks":[{"name":"tests","command":"false","when":"changed"}]}'),
      /^stalled .*the checks changed during this session \(edited: tests\); those from its start decided$/,
    ],
    ['a command that passes', puts('{"checks":[{"name":"tests","command":"true"}]}'), /^stalled .*\(edited: tests\)/],
  ];
  // tests/cli/checks has each of them without a launch
  it.each(sampleOf(CHANGES, ([what]) => /emptied|off/.test(what)))(
    '%s: a gate that gave up',
    async (_what, command, reason) => {
      await using project = await repository(FAILING, doing(command));
      const { code, lines, stderr } = await launchAll(project, []);
      expect(reportOf(lines), stderr).toMatchObject({
        exitCode: 123,
        checks: { reason: expect.stringMatching(reason) },
      });
      expect(code).toBe(123);
      expect(stderr).toMatch(/stopgate: stopgate finished: it ended by itself, but its checks/);
    },
  );

  it('takes a pass of the checks from its start for proof, although the agent edited them', async () => {
    const edit = `touch fixed; ${puts('{"checks":[{"name":"tests","command":"true"}]}')}`;
    await using project = await repository({ checks: [{ name: 'tests', command: 'test -e fixed' }] }, doing(edit));
    const { code, lines } = await launchAll(project, ['--require-proof']);
    expect([code, reportOf(lines)]).toEqual([
      0,
      expect.objectContaining({ checks: expect.objectContaining({ type: 'passed', decidedBy: 'start' }) }),
    ]);
  });

  it('names the cause when an agent of another kind deletes the file and never asks', async () => {
    await using project = await repository();
    await trust(project);
    const claude = project.write('../claude', '#!/bin/sh\nrm stopgate.config.json\n');
    execFileSync('chmod', ['+x', claude]);
    const { code, lines } = await launch(project, [], { env: { STOPGATE_CLAUDE: claude } });
    const reason = expect.stringMatching(
      /^not armed \(.* was deleted during this session\); armed at the start: tests/,
    );
    expect([code, reportOf(lines)]).toEqual([
      123,
      expect.objectContaining({ checks: expect.objectContaining({ reason, armedAtStart: ['tests'] }) }),
    ]);
  });

  it('says that an interrupt came during a check', async () => {
    await using project = await repository({ checks: [{ name: 'slow', command: 'touch began; sleep 60' }] });
    const words = ['launch', '--time-budget', '20m', '--json', ...OWN, '--', 'Fix it'];
    const running = project.start(words, TRUSTED);
    await project.sees('began');
    running.child.kill('SIGINT');
    const { lines, stderr } = await running.ended;
    expect(reportOf(lines), stderr).toMatchObject({ checks: { reason: 'skipped (the checks were interrupted)' } });
  });
});
