import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSameProcess } from '../../src/system/processLife.ts';
import { ledgerLines } from '../support/ledger.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const LEAVES = { tools: [{ name: 'Bash', input: { command: 'setsid sleep 301 >/dev/null 2>&1 & echo $! > pid' } }] };
const ALLOWED = ['--allowedTools', 'Bash', '--permission-mode', 'bypassPermissions'];

const isFirst = ({ messages }: { messages: readonly unknown[] }) => !JSON.stringify(messages).includes('tool_result');
const leaving = () => testProject((body) => (isFirst(body) ? LEAVES : { text: 'Done.' }));

/** What the ledger holds of ends. */
const ends = (project: TestProject) =>
  ledgerLines(path.join(project.home, '.stopgate')).filter(({ type }) => type === 'run');

/** A program in place of Claude Code. */
function claude(project: TestProject, script: string): Readonly<Record<string, string>> {
  const file = project.write('../claude', `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { STOPGATE_CLAUDE: file };
}

const launch = (project: TestProject, env: Readonly<Record<string, string>>, ...words: string[]) =>
  project.run(['launch', '--time-budget', '20m', '--json', ...words, '--', 'fix it'], { env });

describe.concurrent('a run that left something running', () => {
  it('names it in the result and in the ledger, ends it and exits with 122', async () => {
    await using project = await leaving();
    const { code, lines, stderr } = await project.run(['-p', 'go', '--output-format', 'json', ...ALLOWED]);
    const pid = Number(project.read('pid'));
    expect(lines.at(-1)).toMatchObject({
      // as recorded from Claude Code
      terminal_reason: 'completed',
      is_error: false,
      result: 'Done.',
      ending: 'left_running',
      left_running: [{ pid, command: 'sleep 301', age_ms: expect.any(Number), ended: true }],
    });
    expect(stderr).toMatch(/^stopgate: left running: ended with the session: sleep 301 \(process \d+, \d+s old\)\n$/);
    expect(code).toBe(122);
    expect(isSameProcess(pid, undefined)).toBe(false);
    expect(ends(project)).toMatchObject([{ ending: { type: 'left_running', left: [{ pid, command: 'sleep 301' }] } }]);
  });

  it('is proven all the same by checks that passed', async () => {
    await using project = await leaving();
    project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"true"}]}');
    const args = ['-p', 'go', '--output-format', 'json', '--trust-project', ...ALLOWED];
    const { code, lines } = await project.run(args);
    expect(lines.at(-1)).toMatchObject({ ending: 'left_running', checks: { type: 'passed' } });
    expect(code).toBe(0);
    expect(ends(project)[0].ending.reason).toMatch(
      /^left running, now ended \(sleep 301 .*\); checks: passed \(tests\)$/,
    );
  });

  it.each([
    ['in its process group', 'sleep 302 &'],
    ['in another session', 'setsid sleep 302 &'],
  ])('is reported by launch: %s', async (_where, start) => {
    await using project = await testProject();
    const env = claude(project, `${start}\necho $! > "$HOME/pid"\necho Done.`);
    const { code, lines, stderr } = await launch(project, env);
    const pid = Number(readFileSync(path.join(project.home, 'pid'), 'utf8'));
    const [report] = lines;
    expect(report).toMatchObject({ how: 'left_running', exitCode: 122, leftRunning: [{ command: 'sleep 302' }] });
    expect(report.why).toMatch(/^it ended by itself; ended with it: sleep 302 \(process \d+, \d+s old\)$/);
    expect(stderr).toContain('stopgate: claude left processes running: it ended by itself; ended with it: sleep 302');
    expect(code).toBe(122);
    expect(isSameProcess(pid, undefined)).toBe(false);
    expect(ends(project)).toMatchObject([{ launch: report.id, ending: { type: 'left_running' } }]);
  });

  it('is reported by launch with our own agent, which ended it itself', async () => {
    await using project = await leaving();
    const args = ['launch', '--time-budget', '20m', '--json', '--agent', 'stopgate', '--', 'go', ...ALLOWED];
    const { code, lines } = await project.run(args);
    expect(lines.at(-1)).toMatchObject({ how: 'left_running', leftRunning: [{ command: 'sleep 301' }] });
    expect(code).toBe(122);
    // one line for both
    expect(ends(project)).toHaveLength(1);
    const { stdout } = await project.run(['status']);
    expect(stdout).toMatch(/& left running +left running, now ended \(sleep 301/);
  });

  it('is reported by a worker and in the record of the attempt', async () => {
    await using project = await testProject();
    const id = (await project.run(['task', 'add', 'one'])).stdout.trim();
    const agent = "sh -c 'setsid sleep 303 & echo made' sh";
    const { stderr } = await project.run(['worker', 'run', '--slot', 'w', '--idle-timeout', '1s', '--agent', agent]);
    expect(stderr).toMatch(/^stopgate: w: left running, now ended \(sleep 303 \(process \d+, \d+s old\)\)$/m);
    expect((await project.run(['task', 'show', id])).stdout).toContain('Left running, now ended: sleep 303');
    expect(ends(project)).toMatchObject([{ worker: 'w', ending: { type: 'left_running' } }]);
  });
});

describe.concurrent('a run in which nothing happened', () => {
  it('is no_work: its words, its exit code and its line in the ledger', async () => {
    await using project = await testProject(() => ({ text: '' }));
    const text = await project.run(['-p', 'go']);
    expect(text.code).toBe(121);
    expect(text.stderr).toContain('stopgate: no work: nothing happened: no tool call, no changed file, no answer\n');
    const json = await project.run(['-p', 'go', '--output-format', 'json']);
    // the fields and the exit code that Claude Code was recorded with
    expect(json.code).toBe(0);
    expect(json.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', subtype: 'success', ending: 'no_work' });
    expect(ends(project)).toMatchObject([{ ending: { type: 'no_work' } }, { ending: { type: 'no_work' } }]);
  });

  it('is not a question that was answered, nor a tool call without an answer', async () => {
    await using project = await testProject((body) => {
      const isTool = JSON.stringify(body.messages[0]).includes('call');
      if (!isTool) return { text: 'Four.' };
      return isFirst(body) ? { tools: [{ name: 'Bash', input: { command: 'true' } }] } : { text: '' };
    });
    for (const prompt of ['how many?', 'call']) {
      const { code, lines } = await project.run(['-p', prompt, '--output-format', 'json', ...ALLOWED]);
      expect([code, lines.at(-1).ending]).toEqual([0, undefined]);
    }
    expect(ends(project)).toEqual([]);
  });

  const SCRIPTS: readonly (readonly [string, string, string, number])[] = [
    ['prints nothing', ':', 'no_work', 121],
    ['prints only the start of a stream', `echo '{"type":"system","subtype":"init"}'`, 'no_work', 121],
    ['answers', 'echo Four.', 'finished', 0],
    ['writes a file', 'echo x > made', 'finished', 0],
  ];
  it.each(sampleOf(SCRIPTS, ([what]) => what !== 'answers'))(
    'is what launch reports of an agent that %s',
    async (_what, script, how, exitCode) => {
      await using project = await testProject();
      const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir });
      git('init', '-q');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', '1');
      const { code, lines, stderr } = await launch(project, claude(project, script));
      expect(lines.at(-1)).toMatchObject({ how, exitCode });
      expect(code).toBe(exitCode);
      if (how === 'no_work') expect(stderr).toContain('stopgate: claude did no work: nothing happened: no tool call');
    },
  );

  it('fails the task of a worker with that sentence', async () => {
    await using project = await testProject();
    const id = (await project.run(['task', 'add', 'one', '--max-failures', '1'])).stdout.trim();
    const args = ['worker', 'run', '--slot', 'w', '--idle-timeout', '1s', '--agent', 'claude'];
    // the hook of SessionStart, which shows that hooks run
    const { stderr } = await project.run(args, { env: claude(project, ': >> "$STOPGATE_ACTIVITY_FILE"') });
    expect(stderr).toContain('stopgate: w: no work (nothing happened: no tool call');
    expect((await project.run(['task', 'show', id])).stdout).toContain('No work: nothing happened');
  });
});
