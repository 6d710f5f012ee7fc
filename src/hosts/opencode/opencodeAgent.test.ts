import { describe, expect, it } from 'vitest';
import { opencodeAgent } from './agent.ts';
import { opencodeSession, opencodeSpend, opencodeText, opencodeTrouble } from './output.ts';

const command = (words: readonly string[], more = {}) =>
  opencodeAgent.command({ agent: 'opencode', words, env: {}, ...more });
const line = (value: object) => `${JSON.stringify(value)}\n`;

describe('the command line of opencode', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['fix it'], ['run', '--format', 'json', 'fix it']],
    [
      ['run', 'fix it', '--auto'],
      ['run', '--format', 'json', 'fix it', '--auto'],
    ],
    [
      ['fix it', '--format=json'],
      ['run', 'fix it', '--format=json'],
    ],
    [
      ['fix it', '--format', 'default'],
      ['run', 'fix it', '--format', 'default'],
    ],
  ])('%j', (words, args) => {
    expect(command(words).args).toEqual(args);
  });

  it('has no events to read with another format, so a budget is refused', () => {
    expect(command(['x', '--format', 'default'])).toMatchObject({ spend: { in: 'nowhere' } });
    expect(() => command(['x', '--format', 'default'], { tokenBudget: 5 })).toThrow('--format default');
  });

  it('never asks without plugins', () => {
    expect(command(['x']).agent.neverAsks).toBeUndefined();
    expect(command(['x', '--pure']).agent.neverAsks).toBe(true);
    expect(command(['x'], { env: { OPENCODE_PURE: '1' } }).agent.neverAsks).toBe(true);
  });

  it.each<[string | null, readonly string[], readonly string[]]>([
    ['ses_1', ['fix it', '-m', 'a/b', '--auto'], ['go on', '--session', 'ses_1', '-m', 'a/b', '--auto']],
    [null, ['fix it'], ['go on', '--continue']],
    ['ses_1', ['-s', 'old', '--fork', '--title', 't', 'fix it', '--pure'], ['go on', '--session', 'ses_1', '--pure']],
    ['ses_1', ['--session=old', '--file', 'a', 'fix it'], ['go on', '--session', 'ses_1']],
  ])('continues %s with the options of %j', (session, words, args) => {
    expect(opencodeAgent.continueWords?.(session, 'go on', words)).toEqual(args);
  });
});

describe('the stream of opencode', () => {
  const failed = (statusCode: number) =>
    line({ type: 'error', sessionID: 's', error: { name: 'APIError', data: { message: 'why', statusCode } } });

  it('is shown as text', () => {
    let shown = '';
    const form = opencodeText((text) => (shown += text));
    form.push(line({ type: 'step_start', part: {} }) + line({ type: 'text', part: { text: 'Hello.' } }) + failed(401));
    form.end();
    expect(shown).toBe('Hello.\nopencode failed: why\n');
  });

  it('names the session', () => {
    expect(opencodeSession(failed(401))).toBe('s');
    expect(opencodeSession('{}')).toBeUndefined();
  });

  it('adds up what each step used, and keeps what is known when one has no price', () => {
    const step = (output: number, cost: number) =>
      line({ type: 'step_finish', part: { type: 'step-finish', cost, tokens: { output, reasoning: 2 } } });
    const spend = opencodeSpend(() => ({ type: 'unknown' }));
    expect(spend.push(step(10, 0.5) + step(20, 0.25))).toBe(true);
    expect(spend.spend).toEqual({ outputTokens: 34, usd: 0.75 });
    expect(spend.push(line({ type: 'text' }))).toBe(false);
    spend.push(step(1, 0));
    expect(spend.spend).toEqual({ outputTokens: 37, usd: 0.75, estimated: true });
  });

  it.each<[number, string | undefined]>([
    [401, 'authentication_failed'],
    [402, 'billing_error'],
    [429, 'rate_limit'],
    [503, 'overloaded'],
    [500, 'server_error'],
    [400, undefined],
  ])('%i is the trouble %s', (status, error) => {
    expect(opencodeTrouble(1, { tail: failed(status), stderr: '', failure: null })?.error).toBe(error);
  });

  it('believes the file of our plugin only when its message was printed', () => {
    const failure = { error: 'rate_limit', message: 'Rate limit reached', text: 'Rate limit reached' };
    const words = { stderr: '', failure };
    expect(opencodeTrouble(1, { ...words, tail: 'stopgate: opencode failed: Rate limit reached\n' })).toEqual(failure);
    expect(opencodeTrouble(1, { ...words, tail: 'all fine' })).toBeNull();
  });
});
