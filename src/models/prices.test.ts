import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TempFolder, tempFolder } from '../testing/tempFolder.ts';
import { costOf, loadPrices } from './prices.ts';
import { NO_USAGE } from './types.ts';

const million = { inputTokens: 1e6, outputTokens: 1e6, cacheReadTokens: 1e6, cacheWriteTokens: 1e6 };

describe('costOf', () => {
  it.each([
    ['anthropic/claude-opus-4-5', 5 + 25 + 0.5 + 6.25],
    ['claude-opus-4-5-20251101', 5 + 25 + 0.5 + 6.25],
    ['claude-opus-4-20250514', 15 + 75 + 1.5 + 18.75],
    ['claude-sonnet-4-5[1m]', 3 + 15 + 0.3 + 3.75],
    ['openai/gpt-5-2025-08-07', 1.25 + 10 + 0.125 + 1.25],
    ['gpt-5-mini', 0.25 + 2 + 0.025 + 0.25],
    ['google/gemini-3-pro-preview', 4 + 18 + 0.4 + 4],
    ['scripted:demo.json', 0],
  ])('of a million of each for %s is %d dollars', (model, usd) => {
    const cost = costOf(model, million);
    expect(cost.type === 'usd' ? cost.usd : cost).toBeCloseTo(usd, 6);
  });

  it.each(['claude-opus-4-99', 'gpt-5-telepathic', 'llama', ''])('of %s is unknown, not zero', (model) => {
    expect(costOf(model, million)).toEqual({ type: 'unknown' });
  });

  it('goes by the whole input where long requests cost more', () => {
    const short = costOf('claude-haiku-5-5', { ...NO_USAGE, inputTokens: 100_000 });
    const long = costOf('claude-haiku-5-5', { ...NO_USAGE, inputTokens: 1, cacheReadTokens: 100_000 });
    expect(short).toEqual({ type: 'usd', usd: 0.01 });
    expect(long.type === 'usd' && long.usd).toBeCloseTo(0.005, 5);
  });
});

describe('loadPrices', () => {
  let folder: TempFolder;
  beforeEach(async () => {
    folder = await tempFolder();
  });
  afterEach(() => folder[Symbol.asyncDispose]());
  function priceFile(text: string): string {
    writeFileSync(join(folder.path, 'prices.json'), text);
    return join(folder.path, 'prices.json');
  }

  it('puts the file’s prices before the built-in ones', () => {
    const file = priceFile('{"llama": {"input": 1, "output": 2}, "claude-opus-4-5": {"input": 0, "output": 0}}');
    const list = loadPrices({ STOPGATE_PRICES: file });
    if (list.type !== 'ok') throw new Error(list.message);
    expect(list.costOf('http://host/v1#llama', million)).toEqual({ type: 'unknown' });
    expect(list.costOf('openai-compatible/llama', million)).toEqual({ type: 'usd', usd: 5 });
    expect(list.costOf('claude-opus-4-5', million)).toEqual({ type: 'usd', usd: 0 });
    expect(list.costOf('claude-haiku-4-5', million)).toMatchObject({ type: 'usd' });
  });

  it.each([
    ['{"llama": {"input": "1", "output": 2}}', 'llama.input'],
    ['{"llama": ', 'is not JSON at line 1'],
  ])('reports where %s is wrong', (text, place) => {
    expect(loadPrices({ STOPGATE_PRICES: priceFile(text) })).toEqual({
      type: 'bad',
      message: expect.stringContaining(place),
    });
  });

  it('reports a missing file', () => {
    expect(loadPrices({ STOPGATE_PRICES: '/nowhere.json' })).toMatchObject({
      type: 'bad',
      message: expect.stringContaining('the price file /nowhere.json'),
    });
  });
});
