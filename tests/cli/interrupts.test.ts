import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { isAlive, testProject } from '../support/project.ts';

const ALLOWED = ['--allowedTools', 'Bash', '--output-format', 'stream-json'];
const holdOn = (dir: string) => ({
  name: 'Bash',
  input: { command: `sleep 300 & echo $! > ${dir}/pid; wait`, timeout: 200_000 },
});

describe.concurrent('interrupts', () => {
  it('Ctrl-C while a command runs ends it with its children, answers the call, exits 130', async () => {
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [holdOn(project.dir)] } : { text: 'never' },
    );
    const running = project.start(['-p', 'x', ...ALLOWED]);
    await running.sees('"tool_use"');
    await untilFile(project, 'pid');
    running.child.kill('SIGINT');
    const { code, lines } = await running.ended;
    expect(code).toBe(130);
    expect(lines.at(-1)).toMatchObject({ type: 'result', terminal_reason: 'aborted_tools' });
    expect(isAlive(Number(project.read('pid')))).toBe(false);
    const [transcript] = project.transcripts() as [string];
    const text = readFileSync(transcript, 'utf8');
    expect(text).toContain('tool_result');
    expect(text).toContain('[Request interrupted by user for tool use]');
  });

  it('what a command moved into a session of its own ends with ours, and is named', async () => {
    const command = (dir: string) => `setsid sh -c 'echo $$ > ${dir}/pid; exec sleep 300' > /dev/null 2>&1 < /dev/null &
while ! [ -s ${dir}/pid ]; do sleep 0.05; done`;
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [{ name: 'Bash', input: { command: command(project.dir) } }] } : { text: 'done' },
    );
    const { code, stderr } = await project.run(['-p', 'x', ...ALLOWED]);
    expect(code).toBe(122);
    expect(stderr).toMatch(/^stopgate: left running: ended with the session: sleep 300 \(process \d+, \d+s old\)$/m);
    expect(isAlive(Number(project.read('pid')))).toBe(false);
  });

  it('Ctrl-C while the model answers ends the turn cleanly', async () => {
    await using project = await testProject(() => ({ text: 'slow', breakOff: 'hang' }));
    const running = project.start(['-p', 'x', '--output-format', 'stream-json', '--include-partial-messages']);
    await running.sees('text_delta');
    running.child.kill('SIGINT');
    const { code, lines } = await running.ended;
    expect(code).toBe(130);
    expect(lines.map(({ type }) => type)).toContain('tombstone');
    expect(lines.at(-1)).toMatchObject({
      terminal_reason: 'aborted_streaming',
      subtype: 'error_during_execution',
      is_error: true,
    });
    expect(await project.server.seen[0]?.closed).toBe('broken');
  });

  it('a second Ctrl-C ends the process at once, and a command that ignores signals with it', async () => {
    const stubborn = (dir: string) => `trap '' TERM INT; echo $$ > ${dir}/pid; while :; do sleep 1; done`;
    await using project = await testProject(() => ({
      tools: [{ name: 'Bash', input: { command: stubborn(project.dir) } }],
    }));
    const running = project.start(['-p', 'x', ...ALLOWED]);
    await running.sees('"tool_use"');
    await untilFile(project, 'pid');
    running.child.kill('SIGINT');
    await running.sees('Interrupted: ending the turn');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    // the helper ends it when this process is gone: on a busy machine a little later
    await vi.waitFor(() => expect(isAlive(Number(project.read('pid')))).toBe(false));
  });

  it('SIGTERM puts the work down and exits 143', async () => {
    await using project = await testProject(() => ({ delayMs: 60_000 }));
    const running = project.start(['-p', 'x', '--output-format', 'stream-json']);
    await running.sees('"init"');
    running.child.kill('SIGTERM');
    const { code, lines } = await running.ended;
    expect(code).toBe(143);
    expect(lines.at(-1).type).toBe('result');
  });

  it('a reader that goes away ends the turn', async () => {
    await using project = await testProject(() => ({ tools: [{ name: 'Bash', input: { command: 'echo more' } }] }));
    const running = project.start(['-p', 'x', ...ALLOWED]);
    await running.sees('"init"');
    running.child.stdout?.destroy();
    const { code } = await running.ended;
    expect(code).not.toBeNull();
  });
});

/** A file that a command writes when it is under way. */
async function untilFile(project: { read(file: string): string }, file: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    try {
      if (project.read(file).trim()) return;
    } catch {}
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`${file} was never written`);
}
