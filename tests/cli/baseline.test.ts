import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBaseline, writeBaseline } from '../../src/stop/checks/baseline.ts';
import { gateLines } from '../support/ledger.ts';
import { BIN, type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const TRUSTED = { STOPGATE_TRUST_PROJECT: '1' };

/** Prints each line of `broken` as a failing test, with a duration that is another one each time; passes when there are none. */
const RUNNER = `count=0
if [ -e broken ]; then
  while read -r name; do
    echo "FAIL $name ($(($$ % 997))ms)"
    count=$((count + 1))
  done < broken
fi
echo "Tests: $count failed, $((count * 7)) passed"
[ -e crash ] && exit 139
[ "$count" = 0 ]
`;

interface Session {
  /** The answer of the stop hook, and what it printed for people. */
  stop(
    session?: string,
  ): Promise<{ readonly reason: string | undefined; readonly stdout: string; readonly stderr: string }>;
  begin(session: string, source?: string): Promise<{ readonly stderr: string }>;
  git(...args: string[]): void;
}

/** A project in a host, whose check fails for each line of the file `broken`. */
async function project(check: object = {}, more: object = {}): Promise<TestProject & Session> {
  const made = await testProject();
  const git = (...args: string[]) => void execFileSync('git', args, { cwd: made.dir, stdio: 'pipe' });
  made.write('run.sh', RUNNER);
  made.write('broken', 'old one\nold two\n');
  made.write(
    'stopgate.config.json',
    JSON.stringify({ checks: [{ name: 'tests', command: 'sh run.sh', ...check }], ...more }),
  );
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x');
  const call = (args: readonly string[], event: object) =>
    made.run(args, {
      input: JSON.stringify({ prompt_id: 'p', cwd: made.dir, ...event }),
      env: { ...TRUSTED, CLAUDE_PROJECT_DIR: made.dir, CLAUDE_PID: String(process.pid) },
    });
  const stop = async (session = 's1') => {
    const { stdout, stderr, lines } = await call(['hook', 'stop'], { session_id: session, hook_event_name: 'Stop' });
    return { reason: lines[0]?.reason as string | undefined, stdout, stderr };
  };
  const begin = (session: string, source = 'startup') =>
    call(['hook', 'session-start', '--timeout', '60'], {
      session_id: session,
      hook_event_name: 'SessionStart',
      source,
    });
  return Object.assign(made, { stop, begin, git });
}

const endings = async (made: TestProject) =>
  gateLines(path.join(made.home, '.stopgate'))
    .map(({ ending }) => ending)
    .filter((ending) => ending !== null);

const accept = (made: TestProject, ...more: readonly string[]) => made.run(['baseline', ...more], { env: TRUSTED });

/** Each stop starts several processes, and other tests run beside these. */
const LONG = { timeout: 120_000 };

describe.concurrent('stopgate baseline', LONG, () => {
  it('accepts what fails now, so that only new failures block', async () => {
    await using made = await project();
    // a gate that held every session for a failure that none had caused (bendrucker/claude#940)
    expect((await made.stop()).reason).toContain('FAIL old one');
    const { code, stdout } = await accept(made, '--reason', 'legacy suite', '--expires', '14d');
    expect(stdout).toMatch(/tests +accepted +2 lines of output, expires in 14d\n/);
    expect(code).toBe(0);
    const through = await made.stop();
    expect(through.reason).toBeUndefined();
    expect(through.stderr + through.stdout).toMatch(
      /accepted failures: tests \(2 lines of output, accepted (just now|\ds ago): legacy suite\)/,
    );
    expect((await endings(made)).at(-1)).toMatchObject({
      type: 'accepted',
      reason: expect.stringMatching(/^accepted \(tests: 2 lines of output, accepted .*: legacy suite\)$/),
      checks: [{ name: 'tests', outcome: 'accepted' }],
    });

    made.write('broken', 'old two\nnew one\nold one\n');
    const { reason } = await made.stop();
    expect(reason).toMatch(/tests \(`sh run.sh`\) exited 1 after \S+, with 1 line of output that is not accepted:\n/);
    expect(reason).toContain('FAIL new one');

    made.write('broken', 'old two\n');
    expect((await made.stop()).reason).toBeUndefined();
    expect((await endings(made)).at(-1).reason).toContain('1 line of output, 1 fewer than accepted');

    made.write('crash', '');
    expect((await made.stop()).reason).toMatch(
      /exited 139 .*, which is not what was accepted \(it exited 139 instead of 1\)/,
    );
  });

  it('is listed with its age and reason, in status too, and can be removed', async () => {
    await using made = await project();
    await accept(made, '--check', 'tests', '--reason', 'legacy suite');
    const list = await accept(made, '--list');
    expect(list.stdout).toMatch(
      /^CHECK +ACCEPTED +BY +FAILURES +COUNTS +REASON\ntests +\S+.* +2 lines of output +until removed +legacy suite\n$/,
    );
    const { accepted } = JSON.parse((await accept(made, '--list', '--json')).stdout);
    expect(accepted).toEqual([
      expect.objectContaining({
        check: 'tests',
        reason: 'legacy suite',
        counts: true,
        failures: { code: 1, by: 'lines', count: 2 },
      }),
    ]);
    const status = await made.run(['status'], { env: TRUSTED });
    expect(status.stdout).toMatch(
      /\nAccepted failures: tests: 2 lines of output, accepted .*: legacy suite \(until removed\)\n/,
    );
    expect((await accept(made, '--remove', 'types')).stderr).toContain(
      'Nothing is accepted of a check "types" here, but of tests.',
    );
    expect((await accept(made, '--remove', 'tests')).stdout).toBe('No failures are accepted here.\n');
    expect((await made.stop()).reason).toContain('Not done yet');
  });

  it('does not accept what cannot be compared, and says why', async () => {
    await using made = await project({ command: 'false' });
    const { code, stdout } = await accept(made);
    expect(stdout).toMatch(
      /tests +not accepted +it exited 1 after \S+, and it printed nothing that names a failure\nNothing was accepted\.\n/,
    );
    expect(code).toBe(1);
    expect((await made.stop()).reason).toContain('Not done yet');
  });

  it('no longer counts when it expired, or when the command changed, and says so', async () => {
    await using made = await project();
    await accept(made, '--expires', '1h');
    const home = path.join(made.home, '.stopgate');
    const [entry] = await readBaseline(home, made.dir);
    if (entry === undefined) throw new Error('nothing was accepted');
    await writeBaseline(home, made.dir, [{ ...entry, expiresAt: '2026-01-01T00:00:00.000Z' }]);
    const expired = await made.stop();
    expect(expired.reason).toContain('FAIL old one');
    expect(expired.stderr + expired.stdout).toContain('the accepted failures of tests no longer count: expired');
    expect((await accept(made, '--list')).stdout).toContain('no: expired');

    await accept(made);
    expect((await made.stop('s2')).reason).toBeUndefined();
    made.write('stopgate.config.json', JSON.stringify({ checks: [{ name: 'tests', command: 'sh ./run.sh' }] }));
    const changed = await made.stop('s3');
    expect(changed.reason).toContain('FAIL old one');
    expect(changed.stderr + changed.stdout).toContain('no longer count: the command of the check changed');
  });

  it('compares by the failing tests of a report, whatever else is printed', async () => {
    await using made = await project({ command: 'sh t.sh', report: { format: 'tap', path: 'out.tap' } });
    const runs = (names: readonly string[], noise: string) =>
      made.write(
        't.sh',
        `echo ${noise}; printf '${names.map((name) => `not ok - ${name}\\n`).join('')}ok - x\\n' > out.tap; exit 1\n`,
      );
    made.write('.gitignore', 'out.tap\nt.sh\n');
    runs(['a', 'b'], 'one');
    expect(JSON.parse((await accept(made, '--json')).stdout).checks).toEqual([
      expect.objectContaining({
        name: 'tests',
        outcome: 'accepted',
        failures: { code: 1, by: 'tests', count: 2, tests: ['a', 'b'] },
      }),
    ]);
    runs(['b'], 'two');
    expect((await made.stop()).reason).toBeUndefined();
    runs(['b', 'c'], 'three');
    expect((await made.stop()).reason).toMatch(/with 1 failing test that is not accepted: c\n/);
    // the report of the run before must not count for one that wrote none
    made.write('t.sh', 'echo Segmentation fault; exit 1\n');
    expect((await made.stop()).reason).toContain('its report out.tap is from an earlier run');
  });

  it.each(
    sampleOf(
      [
        ['Claude Code', 'claude'],
        ['Codex', 'codex'],
      ] as const,
      ([, program]) => program === 'claude',
    ),
  )('refuses a process that %s started', async (_name, program) => {
    await using made = await project();
    const agent = made.write(`../bin/${program}`, '#!/bin/sh\n"$@"\nexit $?\n');
    chmodSync(agent, 0o755);
    const env = { PATH: process.env.PATH ?? '', HOME: made.home, ...TRUSTED };
    const args = [process.execPath, BIN, 'baseline', '--reason', 'x'];
    const run = () => execFileSync(agent, args, { cwd: made.dir, env, encoding: 'utf8', stdio: 'pipe' });
    expect(run).toThrow(/stopgate baseline is for people, and this shell belongs to an agent/);
    expect((await made.stop()).reason).toContain('Not done yet');
  });

  const REFUSED: readonly (readonly [readonly string[], string])[] = [
    [['--check', 'tset'], 'There is no check "tset"; there is tests.'],
    [
      ['--expires', 'soon'],
      '--expires must be a time such as 12h, 14d or 2w, or a date such as 2027-01-31, got "soon".',
    ],
    [['--expires', '2020-01-01'], '--expires must be in the future, got "2020-01-01".'],
  ];
  it.each(sampleOf(REFUSED, ([args]) => !args.includes('soon')))(
    'refuses %j in one sentence',
    async (args, sentence) => {
      await using made = await project();
      const { code, stderr } = await accept(made, ...args);
      expect([code, stderr]).toEqual([2, `stopgate: ${sentence}\n`]);
    },
  );

  it('runs no command of a folder that is not trusted', async () => {
    await using made = await project();
    const { code, stderr } = await made.run(['baseline']);
    expect(code).toBe(2);
    expect(stderr).toContain('the folder is not trusted; review them, then run `stopgate trust');
  });
});

describe.concurrent('"baseline": "session"', LONG, () => {
  it('accepts what failed when the session began, in that session', async () => {
    await using made = await project({ baseline: 'session' });
    await made.begin('s1');
    made.write('file', 'work');
    expect((await made.stop('s1')).reason).toBeUndefined();
    expect((await endings(made)).at(-1).reason).toBe(
      'accepted (tests: 2 lines of output, failed before this session began)',
    );
    made.write('broken', 'old one\nold two\nnew one\n');
    expect((await made.stop('s1')).reason).toContain('with 1 line of output that is not accepted');
    // `/clear` continues the session: what it broke is not what it began with
    await made.begin('s1-cleared', 'clear');
    expect((await made.stop('s1-cleared')).reason).toContain('with 1 line of output that is not accepted');
    // a session that Stopgate did not see beginning has nothing to compare with
    expect((await made.stop('s2')).reason).toContain('FAIL old one');
    await made.begin('s2', 'compact');
    made.write('file', 'more work');
    expect((await made.stop('s2')).reason).toContain('FAIL old one');
  });

  it('accepts nothing of a check that does not finish in time', async () => {
    await using made = await project({ command: 'echo begun; sleep 600', baseline: 'session', timeout: '1s' });
    expect((await made.begin('s1')).stderr).toMatch(
      /nothing is accepted of what fails as this session begins: tests did not end within 1s/,
    );
  });
});

describe.concurrent('"severity": "warn"', LONG, () => {
  const WARN = {
    checks: [
      { name: 'tests', command: 'sh run.sh' },
      { name: 'lint', command: 'echo long line; exit 1', severity: 'warn' },
    ],
  };

  it('advises the agent once, together with a block, and never blocks by itself', async () => {
    await using made = await project({}, WARN);
    const { reason } = await made.stop();
    expect(reason).toMatch(/^Not done yet: 1 of 2 checks failed\.\n/);
    expect(reason).toMatch(
      /Advice, which does not keep you from stopping:\n\nlint \(`echo long line; exit 1`\) exited 1 after \S+:\nlong line/,
    );
    made.write('broken', 'old one\nother\n');
    expect((await made.stop()).reason).not.toContain('long line');
    made.write('broken', '');
    const through = await made.stop();
    expect(through.reason).toBeUndefined();
    expect(through.stderr + through.stdout).toMatch(/advice: lint exited 1 after \S+; this does not block/);
    expect((await endings(made)).at(-1)).toMatchObject({ type: 'advised', reason: 'advised (lint); passed: tests' });
  });
});

describe.concurrent('what the agent is sent', LONG, () => {
  it('is not called blocking when a person accepts its failures', async () => {
    await using made = await project({ severity: 'warn' });
    const { code, stdout } = await made.run(['baseline', '--check', 'tests'], { env: TRUSTED });
    expect(code).toBe(0);
    expect(stdout).toContain(
      'tests only advises (severity warn) and never blocks: it now advises only on new failures.',
    );
    expect(stdout).toContain('Such a session ends as accepted, which is not proof; without this it ends as advised.');
    expect(stdout).not.toContain('block only on new failures');
    const all = await made.run(['baseline'], { env: TRUSTED });
    expect([all.code, all.stderr]).toEqual([2, expect.stringContaining('There is no check here that can block')]);
  });

  it('is the same report once, not at every stop (svetdev/cleat#7)', async () => {
    const PRINTING =
      'for i in $(seq 60); do s=; for j in $(seq $i); do s="$s"x; done; echo "FAIL case number $s"; done; exit 1';
    await using made = await project({ command: PRINTING, lines: 60 });
    const reasons: string[] = [];
    for (let stop = 0; stop < 4; stop++) {
      // the work goes on, in a new turn each time
      made.write('work', String(stop));
      reasons.push((await made.stop()).reason ?? '');
    }
    const [first = '', second = '', ...later] = reasons;
    expect(first.length).toBeGreaterThan(2_000);
    // what did not fit into the first message follows, with a line or two beside the cut
    const lines = Array.from({ length: 60 }, (_, i) => `FAIL case number ${'x'.repeat(i + 1)}`);
    const sent = `${first}\n${second}`.split('\n').map((line) => line.trim());
    for (const line of lines) expect(sent).toContain(line);
    expect(second.length).toBeLessThan(1_000);
    expect(Math.max(...later.map(({ length }) => length))).toBeLessThan(300);
    // a compaction may have removed it from the model's context
    await made.begin('s1', 'compact');
    made.write('work', 'after');
    expect((await made.stop()).reason?.length).toBeGreaterThan(2_000);
  });

  it('names what is still failing, what is new and what is fixed, with the number of the attempt', async () => {
    await using made = await project(
      {},
      {
        checks: [
          { name: 'tests', command: 'sh run.sh' },
          { name: 'types', command: 'echo no types; test -e typed' },
        ],
      },
    );
    await made.begin('s1');
    made.write('work', '1');
    expect((await made.stop()).reason).toContain('no types');
    made.write('broken', 'old one\nold two\nnew one\n');
    const second = (await made.stop()).reason;
    expect(second).toContain('Not done yet: 2 of 2 checks failed. Attempt 2; the work changed since attempt 1.');
    expect(second).toContain('FAIL new one');
    expect(second).toContain('Still failing: types (same output as before).');
    made.write('typed', '');
    made.write('broken', 'old one\n');
    const third = (await made.stop()).reason;
    expect(third).toContain('Still failing: tests (nothing new in its output, and 2 lines fewer).');
    expect(third).toContain('No longer failing: types.');
    expect((await made.stop()).reason).toContain('Attempt 4; nothing changed since attempt 3.');
    expect((await made.stop()).reason).toBeUndefined();
    expect((await endings(made)).at(-1)).toMatchObject({ type: 'stalled' });
  });
});
