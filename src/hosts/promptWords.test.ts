import { describe, expect, it } from 'vitest';
import { agentCommand } from './agentCommand.ts';
import { asPrompt, type PromptOptions, takeOption, withoutPrompt } from './promptWords.ts';

const OPTIONS: PromptOptions = { prompt: ['-p', '--prompt'], session: ['-r', '--resume'], plain: ['-y', '--yolo'] };

it.each<[readonly string[], readonly string[]]>([
  [['fix it'], ['-p', 'fix it']],
  [
    ['fix it', '-y'],
    ['-p', 'fix it', '-y'],
  ],
  [
    ['-p', 'fix it'],
    ['-p', 'fix it'],
  ],
  [
    ['-y', 'fix it'],
    ['-y', 'fix it'],
  ],
  [[], []],
])('%j starts as %j', (words, expected) => {
  expect(asPrompt(words, OPTIONS)).toEqual(expected);
});

it.each<[readonly string[], readonly string[]]>([
  [
    ['fix it', '-m', 'x'],
    ['-m', 'x'],
  ],
  [
    ['-p', 'fix it', '-m', 'x'],
    ['-m', 'x'],
  ],
  [
    ['-m', 'x', '--prompt=fix it', '-y'],
    ['-m', 'x', '-y'],
  ],
  [['-y', 'fix it'], ['-y']],
  [['--resume', 'abc', '-p', 'fix', '--yolo'], ['--yolo']],
  [['--continue', '-p', 'fix'], []],
  [['--model=x', 'fix it'], ['--model=x']],
])('%j goes on with %j', (words, expected) => {
  expect(withoutPrompt(words, OPTIONS)).toEqual(expected);
});

it('takes the last value of an option', () => {
  expect(takeOption(['-o', 'text', 'a', '--output-format=json', 'b'], ['-o', '--output-format'])).toEqual({
    value: 'json',
    others: ['a', 'b'],
  });
});

describe.each(['gemini', 'qwen'])('--agent %s', (agent) => {
  const of = (words: readonly string[], more: object = {}) => agentCommand({ agent, words, env: {}, ...more });

  it('streams, whatever the reader gets', async () => {
    expect((await of(['fix it', '--yolo'])).args).toEqual(['-p', 'fix it', '--yolo', '-o', 'stream-json']);
    expect((await of(['-p', 'x', '-o', 'stream-json'])).args).toEqual(['-p', 'x', '-o', 'stream-json']);
    expect((await of(['-p', 'x', '--output-format=json'])).args).toEqual(['-p', 'x', '-o', 'json']);
  });

  it('goes on in its session', async () => {
    const { agent: host } = await of(['fix it']);
    expect(host.continueWords?.('id', 'more', ['fix it', '--yolo'])).toEqual([
      '--resume',
      'id',
      '-p',
      'more',
      '--yolo',
    ]);
    expect(host.continueWords?.(null, 'more', [])?.slice(0, -2)).toEqual(
      agent === 'gemini' ? ['--resume', 'latest'] : ['--continue'],
    );
  });

  it('refuses limits that it cannot keep', async () => {
    await expect(of(['x'], { maxBudgetUsd: 1 })).rejects.toThrow(/--max-budget-usd .*use --token-budget/s);
    await expect(of(['x', '-o', 'json'], { tokenBudget: 5 })).rejects.toThrow(/use stream-json/);
  });

  it('hints at permissions until some are given', async () => {
    const { agent: host } = await of(['x']);
    const places = { homeDir: '/nowhere', env: {} };
    expect(host.headlessHint?.(['x'], '/nowhere', places)).toMatch(/cannot ask for permission/);
    expect(host.headlessHint?.(['x', '--approval-mode', 'yolo'], '/nowhere', places)).toBe(null);
    expect(host.headlessHint?.(['-y', 'x'], '/nowhere', places)).toBe(null);
  });
});
