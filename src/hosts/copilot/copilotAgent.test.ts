import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { thisWorld } from '../../system/world.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { copilotAgent } from './agent.ts';
import { copilotTrouble } from './output.ts';
import { copilotSpend } from './spend.ts';
import { copilotWiring } from './wiring.ts';

const command = (words: readonly string[], more: object = {}) =>
  copilotAgent.command({ agent: 'copilot', words, env: {}, ...more });
const id = expect.stringMatching(/^[\da-f-]{36}$/);

describe('the command line', () => {
  it.each<[readonly string[], readonly unknown[]]>([
    [
      ['fix it', '--allow-all-tools'],
      ['-p', 'fix it', '--allow-all-tools', '--session-id', id, '--output-format', 'json'],
    ],
    [
      ['-p', 'fix it', '--output-format=text', '--resume=s1'],
      ['-p', 'fix it', '--resume=s1', '--output-format', 'json'],
    ],
    [
      ['--continue', '-p', 'x'],
      ['--continue', '-p', 'x', '--output-format', 'json'],
    ],
  ])('%j becomes %j', (words, args) => {
    expect(command(words).args).toEqual(args);
  });

  it('goes on in the same session with the same permissions, without what was for the first run', () => {
    const words = [
      'fix it',
      '--allow-tool',
      'write',
      'shell(npm:*)',
      '--trust-folder',
      '--model',
      'm',
      '--session-id',
      'a',
    ];
    expect(copilotAgent.continueWords?.('s1', 'not yet', words)).toEqual([
      ...['--allow-tool', 'write', 'shell(npm:*)', '--model', 'm', '--resume=s1', '-p', 'not yet'],
    ]);
    expect(copilotAgent.continueWords?.(null, 'x', ['-p', 'y'])).toEqual(['--continue', '-p', 'x']);
  });

  it('cannot limit a session that it cannot name', () => {
    expect(() => command(['--continue', '-p', 'x'], { tokenBudget: 5 })).toThrow(/use --resume=ID instead/);
  });

  it.each([
    [['x'], {}, /--allow-all-tools/],
    [['x', '--allow-tool=write'], {}, null],
    [['x', '--yolo'], {}, null],
    [['x'], { COPILOT_ALLOW_ALL: 'true' }, null],
  ])('with %j and %j has the hint %s', (words, env, hint) => {
    const found = copilotAgent.headlessHint?.(words, '/p', { homeDir: '/h', env: env as Record<string, string> });
    if (hint === null) expect(found).toBeNull();
    else expect(found).toMatch(hint);
  });
});

it.each<[object, string | null]>([
  [{ errorType: 'rate_limit', statusCode: 429, message: 'm' }, 'rate_limit'],
  [{ errorType: 'quota', statusCode: 402, message: 'm' }, 'billing_error'],
  [{ errorType: 'query', statusCode: 402, message: 'm' }, 'billing_error'],
  [{ errorType: 'authentication', statusCode: 401, message: 'm' }, 'authentication_failed'],
  [{ errorType: 'query', statusCode: 503, message: 'm' }, 'overloaded'],
  [{ errorType: 'query', statusCode: 500, message: 'm' }, 'server_error'],
  [{ errorType: 'query', statusCode: 400, message: 'm' }, null],
])('takes %j for %s', (data, error) => {
  const tail = `${JSON.stringify({ type: 'session.error', data })}\n{"type":"result","exitCode":1}\n`;
  expect(copilotTrouble(1, { tail, stderr: '', failure: null })).toEqual(error && { error, text: 'm' });
});

it('counts the tokens of its record, and not those of a session that it continues', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'session-state/s1/events.jsonl');
  const record = (out: number) =>
    `${JSON.stringify({ type: 'session.usage_record', data: { usage: { model: 'm', inputTokens: 100, cacheReadTokens: 40, outputTokens: out } } })}\n`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, record(1000));
  const costOf = (_model: string, { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
    ({ type: 'usd', usd: inputTokens + outputTokens }) as const;
  const reader = copilotSpend('s1', { COPILOT_HOME: folder.path })(costOf);
  expect(reader.push('{}\n')).toBe(false);
  appendFileSync(file, record(20));
  expect(reader.push('{}\n')).toBe(true);
  // the last one is written after the last line of its output
  appendFileSync(file, record(5));
  expect(reader.spend).toEqual({ outputTokens: 25, usd: 145 });
});

it('counts the totals of a version that records no requests, since the session was continued', async () => {
  await using folder = await tempFolder();
  const file = path.join(folder.path, 'session-state/s1/events.jsonl');
  const total = (out: number) =>
    `${JSON.stringify({ type: 'session.shutdown', data: { modelMetrics: { m: { usage: { inputTokens: 9, outputTokens: out } } } } })}\n`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, total(1000));
  const reader = copilotSpend('s1', { COPILOT_HOME: folder.path })(() => ({ type: 'unknown' }));
  appendFileSync(file, total(1030));
  expect(reader.spend).toEqual({ outputTokens: 30, usd: null });
});

it.each([
  ...['.claude/settings.json', '.claude/settings.local.json'],
  ...['.github/copilot/settings.json', '.github/copilot/settings.local.json'],
])('sees that %s switches hooks off', async (name) => {
  await using folder = await tempFolder();
  const world = { ...thisWorld(), homeDir: folder.path, env: {} };
  const file = path.join(folder.path, 'p', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '{"disableAllHooks":false}');
  expect(await copilotWiring.whyOff(path.join(folder.path, 'p'), world)).toBeNull();
  writeFileSync(file, '{"disableAllHooks":true}');
  expect(await copilotWiring.whyOff(path.join(folder.path, 'p'), world)).toContain(file);
});
