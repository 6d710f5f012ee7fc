import { describe, expect, it } from 'vitest';
import { testProject } from '../support/project.ts';

const STREAM = ['--output-format', 'stream-json'];
const MODELS = ['--model', 'claude-opus-4-1', '--fallback-model', 'claude-sonnet-4-5, claude-haiku-4-5'];
const bash = { name: 'Bash', input: { command: 'true', description: 'x' } };

describe.concurrent('--fallback-model', () => {
  it('asks the next model in order, stays with it for the turn, and says so', async () => {
    let turns = 0;
    await using project = await testProject((body) => {
      if (/opus/.test(String(body.model))) return { error: { status: 500, message: 'broken' } };
      if (/sonnet/.test(String(body.model)))
        return { error: { status: 404, type: 'not_found_error', message: 'no such model' } };
      return turns++ === 0 ? { tools: [bash] } : { text: 'from the third' };
    });
    const { code, lines, stderr } = await project.run(['-p', 'x', ...STREAM, ...MODELS, '--allowedTools', 'Bash']);
    expect(code).toBe(0);
    const asked = project.server.seen.map(({ body }) => String(body.model).split('-')[1]);
    expect(asked).toEqual(['opus', 'sonnet', 'haiku', 'haiku']);
    const switched = lines.filter(({ subtype }) => subtype === 'model_fallback');
    expect(
      switched.map(({ trigger, original_model, fallback_model }) => [trigger, original_model, fallback_model]),
    ).toEqual([
      ['server_error', 'anthropic/claude-opus-4-1', 'anthropic/claude-sonnet-4-5'],
      ['model_not_found', 'anthropic/claude-sonnet-4-5', 'anthropic/claude-haiku-4-5'],
    ]);
    expect(stderr).toContain('stopgate: Switched to anthropic/claude-sonnet-4-5 for this turn');
    expect(Object.keys(lines.at(-1).modelUsage)).toEqual(['anthropic/claude-haiku-4-5']);
  });

  it('fails with the last error when no model is left', async () => {
    await using project = await testProject(() => ({
      error: { status: 404, type: 'not_found_error', message: 'gone' },
    }));
    const { code } = await project.run(['-p', 'x', ...MODELS]);
    expect(code).not.toBe(0);
    expect(project.server.seen).toHaveLength(3);
  });

  it('refuses the model itself', async () => {
    await using project = await testProject(() => ({ text: 'ok' }));
    const { code, stderr } = await project.run([
      '-p',
      'x',
      '--model',
      'claude-opus-4-1',
      '--fallback-model',
      'claude-opus-4-1',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('which is the model itself');
  });
});
