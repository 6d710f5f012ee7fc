import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAlive, testProject } from '../support/project.ts';
import { ALLOWED, bash, command, noVerdict, on, STREAM } from './incident.ts';

const SLOW = 'echo $$ > pid; exec sleep 60';
const oneCall = (_body: unknown, n: number) => (n === 0 ? { tools: [bash('touch ran')] } : { text: 'done' });

describe.concurrent('incidents: hooks that broke', () => {
  it.each(['KILL', 'TERM', 'SEGV'])(
    '9: a Stop hook that dies by SIG%s said nothing, and everybody hears so (kimi-code PR1906)',
    async (signal) => {
      await using project = await testProject(() => ({ text: 'done' }));
      const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', command(`kill -${signal} $$; exit 0`))]);
      expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'done' });
      expect(noVerdict(end)).toMatch(new RegExp(`gave no verdict.*SIG${signal}`));
      expect(JSON.stringify(end.lines)).not.toContain('hook_success');
    },
  );

  it('9: and one that must not fail open does not (kimi-code PR1906)', async () => {
    await using project = await testProject((_body, n) => ({ text: `answer ${n}` }));
    const once = command('[ -e killed ] && exit 0; touch killed; kill -KILL $$', { onError: 'block' });
    const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', once)]);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'answer 1' });
    expect(JSON.stringify(project.server.seen[1]?.body.messages)).toMatch(/Stop hook feedback.*SIGKILL/);
  });

  it.each([
    ['is no permission where nobody said so', {}, true],
    ['is a refusal with onFailure', { onFailure: 'block' }, false],
    ['is a refusal with onError', { onError: 'block' }, false],
  ])('9: a guard of a tool that dies by a signal %s (kimi-code PR1906)', async (_what, more, runs) => {
    await using project = await testProject(oneCall);
    await project.run(['-p', 'x', ...ALLOWED, ...on('PreToolUse', command('kill -KILL $$', more))]);
    expect(existsSync(`${project.dir}/ran`)).toBe(runs);
  });

  it('10: a Stop hook that takes too long gives no verdict, is ended, and the turn with it (PACT#1384)', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', command(SLOW, { timeout: 1 }))]);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'done' });
    expect(noVerdict(end)).toContain('it took longer than 1s and was ended');
    expect(isAlive(Number(project.read('pid')))).toBe(false);
  });

  it('10: with onError "block" it sends the turn back instead (PACT#1384)', async () => {
    await using project = await testProject((_body, n) => ({ text: `answer ${n}` }));
    const once = command(`[ -e pid ] && exit 0; ${SLOW}`, { timeout: 1, onError: 'block' });
    const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', once)]);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'answer 1' });
    expect(JSON.stringify(project.server.seen[1]?.body.messages)).toContain('it took longer than 1s');
  });

  it.each([
    ['lets the tool run', {}, true],
    ['refuses it with onFailure', { onFailure: 'block' }, false],
  ])('10: a guard of a tool that takes too long %s (PACT#1384)', async (_what, more, runs) => {
    await using project = await testProject(oneCall);
    const guard = command(SLOW, { timeout: 1, ...more });
    const end = await project.run(['-p', 'x', ...ALLOWED, ...on('PreToolUse', guard)]);
    expect(existsSync(`${project.dir}/ran`)).toBe(runs);
    expect(JSON.stringify(end.lines)).toContain('it took longer than 1s');
  });

  it('10: Ctrl-C during a Stop hook ends turn and hook, and never counts as a block (PACT#1384)', async () => {
    await using project = await testProject(() => ({ text: 'done' }));
    const gate = command(`trap 'echo not yet >&2; exit 2' TERM INT; echo $$ > pid; sleep 60 & wait`, {
      onError: 'block',
    });
    const running = project.start(['-p', 'x', ...STREAM, '--include-hook-events', ...on('Stop', gate)]);
    await running.sees('hook_started');
    await untilWritten(() => project.read('pid'));
    running.child.kill('SIGINT');
    const { code, lines } = await running.ended;
    expect(code).toBe(130);
    expect(lines.at(-1)).toMatchObject({ terminal_reason: 'stop_hook_prevented', result: 'done' });
    expect(JSON.stringify(lines)).toContain('[Request interrupted by user]');
    expect(project.server.seen).toHaveLength(1);
    expect(isAlive(Number(project.read('pid')))).toBe(false);
  });

  it.each(['ENOENT: no such file or directory, open a.json', 'cat: report.txt: No such file or directory'])(
    '11: exit 2 blocks when stderr says "%s" (cc#60490)',
    async (words) => {
      await using project = await testProject((_body, n) => ({ text: `answer ${n}` }));
      const gate = `[ -e asked ] && exit 0; touch asked; echo '${words}' >&2; exit 2`;
      const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', command(gate))]);
      expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'answer 1' });
      expect(JSON.stringify(project.server.seen[1]?.body.messages)).toContain(words);
    },
  );
});

async function untilWritten(read: () => string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    try {
      if (read().trim()) return;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it was never written');
}
