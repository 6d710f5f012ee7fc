import { expect, it } from 'vitest';
import { DONE, gateProject } from '../testing/gateProject.ts';
import { tempFolder } from '../testing/tempFolder.ts';
import { createGate } from './createGate.ts';

const checks = [{ name: 't', command: 'false' }];

const WRONG: readonly (readonly [string, object])[] = [
  ['checks', { checks: null }],
  ['config', { config: 5 }],
  ['config', { config: [] }],
  ['config', { config: null }],
  ['config', { config: '' }],
  ['config', { config: { maxBlocks: 5n } }],
  ['sessionId', { checks, sessionId: null }],
  ['deadline', { checks, deadline: null }],
  ['deadline', { checks, deadline: 5n }],
  ['demand', { checks, demand: 'zzz' }],
  ['onFailure', { checks, onFailure: 'explode' }],
  ['stopgateHome', { checks, stopgateHome: 5 }],
  ['stopgateHome', { checks, stopgateHome: '' }],
  ['timeBudget', { checks, timeBudget: {} }],
  ['timeBudget', { checks, timeBudget: 5n }],
  ['maxTokens', { checks, maxTokens: 5n }],
  ['env', { checks, env: { A: 5 } }],
  ['env', { checks, env: null }],
  ['trusted', { checks, trusted: 'yes' }],
  ['onNote', { checks, onNote: 'print' }],
];

it.each(WRONG)('one sentence for a wrong %s: %o', async (name, options) => {
  await using folder = await tempFolder();
  const all = { cwd: folder.path, stopgateHome: `${folder.path}-home`, ...options };
  expect(() => createGate(all as never)).toThrow(TypeError);
  expect(() => createGate(all as never)).toThrow(new RegExp(`^createGate: ${name} [^\n]*\\.$`));
});

it.each([undefined, null, 5, []])('one sentence for the options %o', (options) => {
  expect(() => createGate(options as never)).toThrow(/^createGate: options must be an object, got .*\.$/);
});

const WRONG_STOPS: readonly (readonly [string, unknown])[] = [
  ['its argument', null],
  ['its argument', 'done'],
  ['signal', { signal: {} }],
  ['signal', { signal: 5 }],
  ['toolCalls', { toolCalls: 5 }],
  ['toolCalls', { toolCalls: [null] }],
  ['usage', { usage: null }],
];

it.each(WRONG_STOPS)('mayStop has one sentence for a wrong %s: %o', async (name, stop) => {
  await using at = await gateProject();
  const gate = at.gate({ checks: DONE });
  const said = await gate.mayStop(stop as never).catch((error: unknown) => error);
  expect(said).toBeInstanceOf(TypeError);
  expect((said as Error).message).toMatch(new RegExp(`^mayStop: ${name} must be [^\n]*\\.$`));
  // the next one is answered
  expect((await gate.mayStop()).type).toBe('goOn');
});

it('gives its verdict although onNote throws', async () => {
  await using at = await gateProject();
  let called = 0;
  const onNote = () => {
    called++;
    throw new Error('no terminal');
  };
  const gate = at.gate({ checks: DONE, onNote });
  at.write('answer.txt', 'no');
  expect(gate.noVerdict(new Error('away')).type).toBe('goOn');
  expect(called).toBeGreaterThan(0);
  expect((await gate.mayStop()).type).toBe('goOn');
});
