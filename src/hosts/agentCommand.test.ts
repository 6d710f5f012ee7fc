import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentCommand } from './agentCommand.ts';
import { FORMS, withoutPieces } from './claudeCode/outputForms.ts';
import { asPrinted } from './plainAgent.ts';

const FORM = { text: FORMS.text, json: FORMS.json, withoutPieces, asIs: asPrinted };

const PIECES = '--include-partial-messages';
const command = (agent: string, words: string[], more = {}) => agentCommand({ agent, words, env: {}, ...more });

describe('agentCommand', () => {
  it('takes a first word that is not an option for the prompt of a headless run', async () => {
    expect(await command('claude', ['do it'])).toMatchObject({
      file: 'claude',
      args: ['-p', 'do it'],
      agent: { title: 'Claude Code' },
    });
    expect((await command('stopgate', ['do it'])).args.slice(1)).toEqual(['-p', 'do it']);
  });

  it.each([
    ['options after the prompt', ['do it', '--model', 'opus'], ['-p', 'do it', '--model', 'opus']],
    ['an explicit headless run', ['do it', '-p'], ['do it', '-p']],
    ['an option first', ['--model', 'opus', 'do it'], ['--model', 'opus', 'do it']],
    ['no words', [], []],
  ])('reads %s', async (_name, words, args) => {
    expect((await command('claude', words)).args).toEqual(args);
  });

  it('adds nothing for a person at a terminal', async () => {
    expect((await command('claude', ['do it'], { interactive: true })).args).toEqual(['do it']);
    await expect(command('claude', [], { interactive: true, tokenBudget: 1 })).rejects.toThrow('need a headless agent');
    await expect(command('stopgate', [], { interactive: true })).rejects.toThrow('has no terminal session');
  });

  it('passes everything else as it stands', async () => {
    const words = ['-p', 'do it', '--model', 'opus'];
    expect((await command('claude', words)).args).toEqual(words);
    expect((await command('claude', ['--continue'])).args).toEqual(['--continue']);
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
  ])('streams inside when a limit has to be read, and prints %s for %j', async (form, words, args) => {
    expect(await command('claude', words, { tokenBudget: 1 })).toMatchObject({
      args,
      form: FORM[form as keyof typeof FORM],
      spend: { in: 'output' },
    });
  });

  it('refuses limits with a form that the stream does not carry', async () => {
    const words = ['-p', 'x', '--verbose', '--output-format', 'json'];
    await expect(command('claude', words, { tokenBudget: 1 })).rejects.toThrow(
      'cannot be enforced with --output-format json --ver',
    );
  });

  it('passes a limit of money on, beside one that is there', async () => {
    expect((await command('claude', ['x'], { maxBudgetUsd: 2 })).args.slice(-2)).toEqual(['--max-budget-usd', '2']);
    for (const own of [['--max-budget-usd', '1'], ['--max-budget-usd=1']])
      expect((await command('claude', ['x', ...own], { maxBudgetUsd: 2 })).args).not.toContain('2');
  });

  it.each([
    ['output', ['-p', 'x', '--output-format=stream-json']],
    ['output', ['-p', 'x', '--output-format', 'json']],
    // its figures begin before this launch
    ['nowhere', ['-p', 'x', '--output-format', 'json', '--continue']],
    ['nowhere', ['-p', 'stream-json']],
  ])('without a limit changes nothing and reads the spend in its %s: %j', async (spendIn, words) => {
    expect(await command('claude', words)).toMatchObject({ args: words, form: asPrinted, spend: { in: spendIn } });
  });

  it('hands limits to our own agent', async () => {
    expect((await command('stopgate', ['x'], { tokenBudget: 10_000, maxBudgetUsd: 1 })).args.slice(3)).toEqual([
      '--token-limit',
      '10000',
      '--max-budget-usd',
      '1',
    ]);
  });

  it('takes any command, and refuses limits that it cannot hold', async () => {
    expect(await command('codex exec --json', ['do it'])).toMatchObject({
      name: 'codex',
      file: 'codex',
      args: ['exec', '--json', 'do it'],
      agent: { title: 'The command' },
    });
    await expect(command('aider', ['x'], { maxBudgetUsd: 1 })).rejects.toThrow('the spending of aider cannot be read');
    await expect(command(' ', ['x'])).rejects.toThrow('--agent is empty');
    expect((await command('constructor', ['x'])).file).toBe('constructor');
  });
});

it.each([
  ['codx', 'codex'],
  ['Gemini', 'gemini'],
  ['opncode', 'opencode'],
])('suggests an agent for --agent %s where no such program exists', async (typed, meant) => {
  await expect(command(typed, ['hi'])).rejects.toThrow(
    `--agent ${typed} is not an agent that Stopgate knows, nor a program on the PATH; did you mean ${meant}?`,
  );
});

it.each([
  // a path is resolved where the command was given: the agent may start in a worktree
  ['./codx', path.resolve('codx')],
  ['true', 'true'],
  ['my-own-runner', 'my-own-runner'],
  ['codx --fast', 'codx'],
])('takes --agent %j for a command', async (typed, file) => {
  expect((await command(typed, ['hi'])).file).toBe(file);
});
