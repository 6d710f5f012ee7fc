import { describe, expect, it } from 'vitest';
import { agentCommand, commandWords } from './agentCommand.ts';

const PIECES = '--include-partial-messages';
const command = (agent: string, words: string[], more = {}) => agentCommand({ agent, words, env: {}, ...more });

describe('agentCommand', () => {
  it('takes a first word that is not an option for the prompt of a headless run', () => {
    expect(command('claude', ['do it'])).toMatchObject({
      file: 'claude',
      args: ['-p', 'do it'],
      wiredBy: 'claudeSettings',
    });
    expect(command('stopgate', ['do it']).args.slice(1)).toEqual(['-p', 'do it']);
  });

  it.each([
    ['options after the prompt', ['do it', '--model', 'opus'], ['-p', 'do it', '--model', 'opus']],
    ['a headless run that was asked for', ['do it', '-p'], ['do it', '-p']],
    ['an option first', ['--model', 'opus', 'do it'], ['--model', 'opus', 'do it']],
    ['no words', [], []],
  ])('reads %s', (_name, words, args) => {
    expect(command('claude', words).args).toEqual(args);
  });

  it('adds nothing for a person at a terminal', () => {
    expect(command('claude', ['do it'], { interactive: true }).args).toEqual(['do it']);
    expect(() => command('claude', [], { interactive: true, tokenBudget: 1 })).toThrow('need a headless agent');
    expect(() => command('stopgate', [], { interactive: true })).toThrow('has no terminal session');
  });

  it('passes everything else as it stands', () => {
    const words = ['-p', 'do it', '--model', 'opus'];
    expect(command('claude', words).args).toEqual(words);
    expect(command('claude', ['--continue']).args).toEqual(['--continue']);
  });

  const STREAM = ['--output-format', 'stream-json', '--verbose', PIECES];
  it.each([
    ['text', ['do it'], ['-p', 'do it', ...STREAM]],
    ['text', ['do it', '--output-format=text', '--model', 'opus'], ['-p', 'do it', '--model', 'opus', ...STREAM]],
    ['json', ['-p', 'x', '--output-format', 'json'], ['-p', 'x', ...STREAM]],
    ['text', ['-p', 'x', '--verbose'], ['-p', 'x', ...STREAM]],
    ['json', ['-p', 'x', '--output-format', 'text', '--output-format=json'], ['-p', 'x', ...STREAM]],
    ['withoutPieces', ['-p', 'x', '--output-format=stream-json'], ['-p', 'x', '--output-format=stream-json', PIECES]],
    ['asIs', ['-p', 'x', '--output-format=stream-json', PIECES], ['-p', 'x', '--output-format=stream-json', PIECES]],
  ])('streams inside when a limit has to be read, and prints %s for %j', (form, words, args) => {
    expect(command('claude', words, { tokenBudget: 1 })).toMatchObject({ args, form, spendIn: 'output' });
  });

  it('refuses limits with a form that the stream does not carry', () => {
    const words = ['-p', 'x', '--verbose', '--output-format', 'json'];
    expect(() => command('claude', words, { tokenBudget: 1 })).toThrow(
      'cannot be held with --output-format json --ver',
    );
  });

  it('passes a limit of money on, beside one that is there', () => {
    expect(command('claude', ['x'], { maxBudgetUsd: 2 }).args.slice(-2)).toEqual(['--max-budget-usd', '2']);
    for (const own of [['--max-budget-usd', '1'], ['--max-budget-usd=1']])
      expect(command('claude', ['x', ...own], { maxBudgetUsd: 2 }).args).not.toContain('2');
  });

  it.each([
    ['output', ['-p', 'x', '--output-format=stream-json']],
    ['output', ['-p', 'x', '--output-format', 'json']],
    // its figures begin before this launch
    ['nowhere', ['-p', 'x', '--output-format', 'json', '--continue']],
    ['nowhere', ['-p', 'stream-json']],
  ])('without a limit changes nothing and reads the spend in its %s: %j', (spendIn, words) => {
    expect(command('claude', words)).toMatchObject({ args: words, form: 'asIs', spendIn });
  });

  it('hands limits to our own agent', () => {
    expect(command('stopgate', ['x'], { tokenBudget: 10_000, maxBudgetUsd: 1 }).args.slice(3)).toEqual([
      '--token-limit',
      '10000',
      '--max-budget-usd',
      '1',
    ]);
  });

  it('takes any command, and refuses limits that it cannot hold', () => {
    expect(command('codex exec --json', ['do it'])).toMatchObject({
      name: 'codex',
      file: 'codex',
      args: ['exec', '--json', 'do it'],
      wiredBy: 'environment',
    });
    expect(() => command('codex', ['x'], { maxBudgetUsd: 1 })).toThrow('what codex spends cannot be read');
    expect(() => command(' ', ['x'])).toThrow('--agent is empty');
    expect(command('constructor', ['x']).file).toBe('constructor');
  });
});

it.each([
  ['a b  c', ['a', 'b', 'c']],
  [`a "b c" 'd "e'`, ['a', 'b c', 'd "e']],
  [`"/x y/z" --a="b c"`, ['/x y/z', '--a=b c']],
  ['a\\ b "c\\"d"', ['a b', 'c"d']],
  ['', []],
])('words of %s', (line, words) => {
  expect(commandWords(line)).toEqual(words);
});
