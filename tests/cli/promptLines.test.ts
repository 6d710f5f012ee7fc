import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const BOTH = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json'];
const line = (content: unknown) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`;
const results = (lines: { type: string; result?: string }[]) =>
  lines.flatMap((one) => (one.type === 'result' ? [one.result] : []));

describe.concurrent('--input-format stream-json', () => {
  it('has a turn and a result for each line, in one conversation', async () => {
    await using project = await testProject((_, n) => ({ text: `answer ${n}` }));
    const input = `${line('one')}\n${line([{ type: 'text', text: 'two' }, { type: 'image' }])}{"type":"control_request"}\n${line('three').trim()}`;
    const { code, lines, stderr } = await project.run(BOTH, { input });
    expect(code).toBe(0);
    expect(results(lines)).toEqual(['answer 0', 'answer 1', 'answer 2']);
    expect(new Set(lines.map(({ session_id }) => session_id)).size).toBe(1);
    const last = JSON.stringify(project.server.seen.at(-1)?.body.messages);
    for (const text of ['one', 'answer 0', 'two', 'answer 1', 'three']) expect(last).toContain(text);
    expect(stderr).toContain('stdin, line 3: only the text of a message is used; skipped: image.');
    expect(stderr).toContain('stdin, line 4 is not a user message and was skipped.');
  });

  it('answers a line with its result while stdin stays open, and ends when it closes', async () => {
    await using project = await testProject((_, n) => ({ text: `answer ${n}` }));
    const running = project.start(BOTH, { input: '', keepsInput: true });
    running.child.stdin?.write(line('one'));
    await running.sees('"result":"answer 0"');
    running.child.stdin?.write(line('two'));
    await running.sees('"result":"answer 1"');
    running.child.stdin?.end();
    const { code, stdout } = await running.ended;
    expect([code, stdout.split('"type":"result"').length - 1]).toEqual([0, 2]);
  });

  it.each([
    ['', 'No prompt'],
    ['{"type":\n', 'stdin, line 1 is not JSON'],
    [`${line('one')}broken\n`, 'stdin, line 2 is not JSON'],
  ])('ends with a sentence at %j', async (input, sentence) => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { code, stderr } = await project.run(BOTH, { input });
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });

  it('needs stream-json output, and no prompt beside it', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const text = await project.run(['-p', '--input-format', 'stream-json'], { input: line('x') });
    expect([text.code, text.stderr]).toEqual([2, expect.stringContaining('needs --output-format stream-json')]);
    const both = await project.run([...BOTH, 'x'], { input: line('x') });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('remove the argument')]);
  });
});
