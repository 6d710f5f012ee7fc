import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BIN, type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

const TRUSTED = { STOPGATE_TRUST_PROJECT: '1' };

/** A host's session whose check fails. */
async function heldSession(): Promise<TestProject & { stop(): Promise<{ lines: { [key: string]: string }[] }> }> {
  const project = await testProject();
  execFileSync('git', ['init', '-q'], { cwd: project.dir });
  project.write(
    'stopgate.config.json',
    '{"checks":[{"name":"tests","command":"false"},{"name":"types","command":"true"}]}',
  );
  const event = (name: string) => {
    const input = { session_id: 'abc-1', prompt_id: 'p', cwd: project.dir, hook_event_name: name, source: 'startup' };
    return { input: JSON.stringify(input), env: { ...TRUSTED, CLAUDE_PROJECT_DIR: project.dir } };
  };
  await project.run(['hook', 'session-start'], event('SessionStart'));
  project.write('changed', '');
  const stop = () => project.run(['hook', 'stop'], event('Stop'));
  expect((await stop()).lines[0]).toMatchObject({ decision: 'block' });
  return Object.assign(project, { stop });
}

describe.concurrent('stopgate waive', () => {
  it('lets one session stop although one check fails, and says so everywhere', async () => {
    await using project = await heldSession();
    const waive = ['waive', 'abc', '--check', 'tests', '--reason', 'the sandbox is down'];
    const { code, stdout } = await project.run(waive);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Session abc-1: tests, types\.\nWaived: tests \(the sandbox is down\), by \S+ at .*\.\n$/),
    ]);
    const { stdout: answer } = (await project.stop()) as unknown as { stdout: string };
    expect(answer).not.toContain('"block"');
    const { gate } = (await project.run(['status', '--json'])).lines[0];
    expect(gate.sessions[0].stops[0].ending).toMatchObject({
      type: 'waived',
      reason: 'waived (tests: the sandbox is down); passed: types',
    });
  });

  it('refuses what has no reason, no such check or no such session in one sentence', async () => {
    await using project = await heldSession();
    for (const [args, sentence] of [
      [['abc', '--check', 'tests'], /^stopgate: Give the reason with --reason TEXT/],
      [['abc', '--check', 'tset', '--reason', 'x'], /has no check "tset"; it has tests, types\./],
      [['zzz', '--check', 'tests', '--reason', 'x'], /No session on record begins with "zzz"/],
    ] as const) {
      const { code, stderr } = await project.run(['waive', ...args]);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringMatching(sentence)]);
    }
    expect((await project.stop()).lines[0]).toMatchObject({ decision: 'block' });
  });

  const AGENTS = [
    ['Claude Code', 'claude'],
    ['Codex', 'codex'],
  ] as const;
  it.each(sampleOf(AGENTS, ([, program]) => program === 'claude'))(
    'refuses a process that %s started',
    async (_name, program) => {
      await using project = await heldSession();
      const agent = project.write(`../bin/${program}`, '#!/bin/sh\n"$@"\nexit $?\n');
      chmodSync(agent, 0o755);
      const args = [process.execPath, BIN, 'waive', 'abc', '--check', 'tests', '--reason', 'x'];
      const env = { PATH: process.env.PATH ?? '', HOME: project.home };
      const run = () => execFileSync(agent, args, { cwd: project.dir, env, encoding: 'utf8', stdio: 'pipe' });
      expect(run).toThrow(
        /stopgate waive is for people, and this shell belongs to an agent \(it was started by an agent/,
      );
      expect((await project.stop()).lines[0]).toMatchObject({ decision: 'block' });
    },
  );
});
