import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { thisWorld } from '../../system/world.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { fieldIn } from '../streams/eventLines.ts';
import { streamSpend } from '../streams/streamSpend.ts';
import { asText, geminiSpend } from './output.ts';
import { isTrusted } from './places.ts';
import { geminiTrouble } from './trouble.ts';
import { geminiWiring } from './wiring.ts';

const INIT = { type: 'init', session_id: 'abc', model: 'gemini-2.5-flash' };
const said = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
const STREAM: readonly object[] = [
  INIT,
  { type: 'message', role: 'user', content: 'Please do it' },
  said('let '),
  said('me'),
  { type: 'tool_use', tool_name: 'run_shell_command', parameters: { command: 'echo hi' } },
  { type: 'tool_result', status: 'success', output: 'hi' },
  said('done'),
  { type: 'error', severity: 'warning', message: 'Agent execution blocked: go on' },
  said('really\n'),
];
const RESULT = {
  type: 'result',
  status: 'success',
  stats: { models: { m: { total_tokens: 520, input_tokens: 444, output_tokens: 66, cached: 7, input: 437 } } },
};
const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

it('reads as text', () => {
  let text = '';
  const form = asText((more) => {
    text += more;
  });
  form.push(`odd line\n${lines(...STREAM)}`);
  form.push(lines({ type: 'result', status: 'error', error: { message: '[API Error: x]' } }));
  form.end();
  expect(text).toBe('odd line\nlet me\ndone\nreally\n[API Error: x]\n');
});

describe('its spend', () => {
  const price = { type: 'usd', usd: 0.5 } as const;

  it('is estimated until its end, and then what it reports, with its thoughts', () => {
    const spend = streamSpend(geminiSpend(), () => price);
    expect(spend.push(lines(...STREAM))).toBe(true);
    expect(spend.spend).toMatchObject({ outputTokens: 11, estimated: true });
    spend.push(lines(RESULT));
    expect(spend.spend).toEqual({ outputTokens: 76, usd: 0.5 });
  });

  it('adds the processes of one launch', () => {
    const spend = streamSpend(geminiSpend(), () => ({ type: 'unknown' }));
    spend.push(lines(...STREAM, RESULT, ...STREAM, RESULT));
    expect(spend.spend).toEqual({ outputTokens: 152, usd: null });
  });
});

it('names its session', () => {
  expect(fieldIn('init', 'session_id')(JSON.stringify(INIT))).toBe('abc');
  expect(fieldIn('init', 'session_id')(JSON.stringify(said('{"type":"init"}')))).toBe(undefined);
});

describe('the exit code', () => {
  const words = (message: string) => {
    const tail = lines(INIT, { type: 'result', status: 'error', error: { type: 'unknown', message } });
    return { tail, stderr: '', failure: null };
  };

  it.each<[number, string, string | null]>([
    [173, '[API Error: Too many requests]', 'rate_limit'],
    [173, '[API Error: You have exhausted your daily quota on this model.]', 'rate_limit'],
    [145, '[API Error: {"error":{"code":401}}]', 'authentication_failed'],
    [147, '[API Error: {"error":{"code":403}}]', 'authentication_failed'],
    [244, '[API Error: x]', 'server_error'],
    [247, '[API Error: The model is overloaded]', 'overloaded'],
    [144, '[API Error: API key not valid. Please pass a valid API key.]', 'authentication_failed'],
    [144, '[API Error: bad request]', null],
    [1, '[API Error: x]', null],
  ])('%i with %s: %s', (code, message, error) => {
    expect(geminiTrouble(code, words(message))?.error ?? null).toBe(error);
  });

  it('says nothing without an error in its output', () => {
    expect(geminiTrouble(173, { tail: lines(...STREAM), stderr: '', failure: null })).toBe(null);
    expect(geminiTrouble(41, { tail: '', stderr: 'no key', failure: null })?.error).toBe('authentication_failed');
  });
});

it('knows which folders Gemini CLI trusts', async () => {
  await using folder = await tempFolder();
  const homeDir = folder.path;
  mkdirSync(path.join(homeDir, '.gemini'));
  const put = (file: string, value: object) =>
    writeFileSync(path.join(homeDir, '.gemini', file), JSON.stringify(value));
  put('trustedFolders.json', { '/a': 'TRUST_FOLDER', '/a/no': 'DO_NOT_TRUST', '/b/c': 'TRUST_PARENT' });
  const places = { homeDir, env: {} };
  const trusted = ['/a', '/a/x', '/a/no', '/a/no/y', '/ab', '/b/d', '/c'].filter((at) => isTrusted(at, places));
  expect(trusted).toEqual(['/a', '/a/x', '/b/d']);
  expect(isTrusted('/c', { homeDir, env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } })).toBe(true);
  put('settings.json', { security: { folderTrust: { enabled: false } } });
  expect(isTrusted('/c', places)).toBe(true);
});

it.each(['.gemini', 'p/.gemini'])('sees that hooks of our name are switched off in %s', async (at) => {
  await using folder = await tempFolder();
  const world = { ...thisWorld(), homeDir: folder.path, env: {} };
  const project = path.join(folder.path, 'p');
  const file = path.join(folder.path, at, 'settings.json');
  mkdirSync(path.dirname(file), { recursive: true });
  const put = (disabled: readonly string[]) => writeFileSync(file, JSON.stringify({ hooksConfig: { disabled } }));
  put(['mine']);
  expect(await geminiWiring.whyOff(project, world)).toBeNull();
  put(['mine', 'stopgate']);
  expect(await geminiWiring.whyOff(project, world)).toContain(`"stopgate" in ${file}`);
});
