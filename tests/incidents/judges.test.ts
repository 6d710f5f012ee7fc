import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';
import { command, noVerdict, on, STREAM, settings } from './incident.ts';

const LIMITED = { error: { status: 429, type: 'rate_limit_error', message: 'slow down' } };
const ONCE = { env: { STOPGATE_MAX_RETRIES: '0' } };
const judge = { type: 'prompt', prompt: 'Is it done?' };

describe.concurrent('incidents: judges and helpers', () => {
  it('18: a judge that is rate limited is not the failure of the turn (cc#91419)', async () => {
    await using project = await testProject((body) => (body.tools?.length ? { text: 'done' } : LIMITED));
    const hooks = settings({ Stop: [judge], StopFailure: [command('touch stop-failure')] });
    const end = await project.run(['-p', 'x', ...STREAM, ...hooks], ONCE);
    expect(end.code).toBe(0);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', is_error: false, result: 'done' });
    expect(noVerdict(end)).toMatch(/gave no verdict.*Is it done\?.*the model failed: .*slow down/);
    expect(existsSync(`${project.dir}/stop-failure`)).toBe(false);
    const plain = await project.run(['-p', 'x', ...hooks], ONCE);
    expect(plain).toMatchObject({ code: 0, stdout: 'done\n', stderr: expect.stringContaining('gave no verdict') });
  });

  it('18: nor is a reviewer that is (cc#91419)', async () => {
    const isReviewer = (body: { tools?: { name: string }[] }) =>
      body.tools?.some(({ name }) => name === 'StructuredOutput');
    await using project = await testProject((body) => (isReviewer(body) ? LIMITED : { text: 'done' }));
    const reviewer = { type: 'agent', prompt: 'Review it.' };
    const hooks = settings({ Stop: [reviewer], StopFailure: [command('touch stop-failure')] });
    const end = await project.run(['-p', 'x', ...STREAM, ...hooks], ONCE);
    expect(end.code).toBe(0);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'done' });
    expect(noVerdict(end)).toMatch(/gave no verdict.*Review it\..*slow down/);
    expect(existsSync(`${project.dir}/stop-failure`)).toBe(false);
  });

  it('18: nor is what runs after the answer (cc#91419)', async () => {
    await using project = await testProject((_body, n) => (n === 0 ? { text: 'done' } : LIMITED));
    const hooks = on('StopFailure', command('touch stop-failure'));
    const env = { ...ONCE.env, STOPGATE_ENABLE_MEMORY: '1' };
    const end = await project.run(['-p', 'From now on always use tabs.', ...STREAM, ...hooks], { env });
    expect(end.code).toBe(0);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', is_error: false, result: 'done' });
    expect(project.server.seen.length).toBeGreaterThan(1);
    expect(end.stderr).toMatch(/memory/i);
    expect(existsSync(`${project.dir}/stop-failure`)).toBe(false);
  });

  const NOT_YET = '{"ok": false, "reason": "no tests"}';
  it.each([
    ['haiku', 'prose around it', `I looked at the work. ${NOT_YET} Let me know!`],
    ['sonnet', 'a fence around it', `Here is my judgement:\n\`\`\`json\n${NOT_YET}\n\`\`\``],
    ['opus', 'the format quoted first', `I must answer {"ok": true} or {"ok": false}. There are none, so: ${NOT_YET}`],
  ])('19: %s answers with %s, and is understood (happy#1405)', async (model, _how, words) => {
    await using project = await testProject((body) => {
      if (body.tools?.length) return { text: body.messages.length > 2 ? 'tested' : 'untested' };
      return { text: JSON.stringify(body.messages).includes('Stop hook feedback') ? '{"ok": true}' : words };
    });
    const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', { ...judge, model })]);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'tested' });
    expect(JSON.stringify(end.lines)).toContain('no tests');
    expect(noVerdict(end)).toBeUndefined();
    expect(project.server.seen).toHaveLength(4);
  });

  it('19: an answer that is no judgement is repaired once (happy#1405)', async () => {
    const answers = ['No, the tests are missing.', NOT_YET, '{"ok": true}'];
    await using project = await testProject((body) =>
      body.tools?.length ? { text: 'answer' } : { text: answers.shift() ?? 'too often' },
    );
    const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', judge)]);
    expect(end.lines.at(-1).terminal_reason).toBe('completed');
    expect(noVerdict(end)).toBeUndefined();
    expect(answers).toEqual([]);
    expect(project.server.seen).toHaveLength(5);
  });

  it('19: one that cannot be repaired gives no verdict: no block, no silence, no loop (happy#1405)', async () => {
    await using project = await testProject((body) => ({ text: body.tools?.length ? 'done' : 'Looks good to me!' }));
    const end = await project.run(['-p', 'x', ...STREAM, ...on('Stop', judge)]);
    expect(end.lines.at(-1)).toMatchObject({ terminal_reason: 'completed', result: 'done' });
    expect(noVerdict(end)).toContain('did not answer with {"ok": …}, not even when asked again');
    expect(project.server.seen).toHaveLength(3);
  });
});
