import { describe, expect, it } from 'vitest';
import { piAgent } from './agent.ts';
import { piSession, piSpend, piText } from './output.ts';

const command = (words: readonly string[], more = {}) => piAgent.command({ agent: 'pi', words, env: {}, ...more });
const line = (value: object) => `${JSON.stringify(value)}\n`;

describe('the command line of pi', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['fix it'], ['--mode', 'json', 'fix it']],
    [
      ['-p', 'fix it', '--mode', 'json'],
      ['-p', 'fix it', '--mode', 'json'],
    ],
    [
      ['fix it', '--mode=text'],
      ['-p', 'fix it', '--mode=text'],
    ],
    [
      ['-p', '--mode', 'text', 'fix it'],
      ['-p', '--mode', 'text', 'fix it'],
    ],
  ])('%j', (words, args) => {
    expect(command(words).args).toEqual(args);
  });

  it('refuses what it cannot follow', () => {
    expect(() => command(['x', '--mode', 'rpc'])).toThrow('--mode rpc');
    expect(() => command(['x', '--mode', 'text'], { maxBudgetUsd: 1 })).toThrow('--mode text');
  });

  it.each<[string | null, readonly string[], readonly string[]]>([
    ['id', ['--model', 'm', 'fix it'], ['--model', 'm', '--session', 'id', 'go on']],
    [null, ['fix it'], ['--continue', 'go on']],
    ['id', ['-c', '--session-id', 'old', '-n', 'name', 'fix it', '-ne'], ['-ne', '--session', 'id', 'go on']],
  ])('continues %s with the options of %j', (session, words, args) => {
    expect(piAgent.continueWords?.(session, 'go on', words)).toEqual(args);
  });
});

describe('the stream of pi', () => {
  const answer = (fields: object) => line({ type: 'message_end', message: { role: 'assistant', ...fields } });

  it('is shown as text', () => {
    let shown = '';
    const form = piText((text) => (shown += text));
    const content = [{ type: 'text', text: 'Hello.' }, { type: 'toolCall' }];
    form.push(answer({ content }) + line({ type: 'message_end', message: { role: 'user', content } }));
    form.push(answer({ content: [], stopReason: 'error', errorMessage: '401: no' }));
    form.end();
    expect(shown).toBe('Hello.\npi failed: 401: no\n');
  });

  it('names the session in its first line', () => {
    expect(piSession(line({ type: 'session', version: 3, id: 'one' }).trim())).toBe('one');
    expect(piSession(answer({ id: 'two' }))).toBeUndefined();
  });

  it('adds up what each answer used', () => {
    const spend = piSpend(() => ({ type: 'unknown' }));
    spend.push(
      answer({ usage: { output: 20, cost: { total: 0.5 } } }) + answer({ usage: { output: 5, cost: { total: 0.1 } } }),
    );
    expect(spend.spend).toEqual({ outputTokens: 25, usd: 0.6 });
  });

  it('has the failure that our extension wrote, if it was printed', () => {
    const failure = { error: 'rate_limit', message: '429: too many requests', text: '429: too many requests' };
    const tail = `stopgate: pi failed: ${failure.message}\n`;
    expect(piAgent.accountTrouble(1, { tail, stderr: tail, failure })).toEqual(failure);
    expect(piAgent.accountTrouble(1, { tail: '', stderr: '', failure })).toBeNull();
  });
});
