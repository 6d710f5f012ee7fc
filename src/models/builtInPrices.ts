import type { Price, Prices } from '../schemas/prices.ts';

/**
 * USD per million tokens, from the providers' public price lists of 15 November 2026, standard tier, with Anthropic's
 * five-minute cache. OpenAI and Google charge nothing extra for writing a cache.
 */
const PRICE_LIST: readonly (readonly [models: string, price: Price])[] = [
  ['claude-fable-5-2 claude-fable-5-1', claude(10, 50, 0.25)],
  ['claude-fable-5', claude(10, 50)],
  ['claude-opus-5-5', claude(4, 20, 0.2)],
  ['claude-opus-5 claude-opus-4-8 claude-opus-4-7 claude-opus-4-6 claude-opus-4-5', claude(5, 25)],
  ['claude-opus-4-1 claude-opus-4-0 claude-opus-4', claude(15, 75)],
  ['claude-sonnet-5-5 claude-sonnet-5', claude(2, 10)],
  ['claude-sonnet-4-6 claude-sonnet-4-5 claude-sonnet-4-0 claude-sonnet-4', claude(3, 15)],
  ['claude-haiku-5-5', { ...claude(0.1, 0.5), long: { above: 100_000, ...claude(0.5, 2.5) } }],
  ['claude-haiku-4-5', claude(1, 5)],
  ['claude-3-5-haiku', claude(0.8, 4)],
  ['claude-3-haiku', claude(0.25, 1.25, 0.03)],

  ['gpt-5.5', { input: 5, output: 30, cacheRead: 0.5 }],
  ['gpt-5.5-pro gpt-5.4-pro', { input: 30, output: 180 }],
  ['gpt-5.4', { input: 2.5, output: 15, cacheRead: 0.25 }],
  ['gpt-5.4-mini', { input: 0.75, output: 4.5, cacheRead: 0.075 }],
  ['gpt-5.4-nano', { input: 0.2, output: 1.25, cacheRead: 0.02 }],
  ['gpt-5.2 gpt-5.2-codex', { input: 1.75, output: 14, cacheRead: 0.175 }],
  ['gpt-5.2-pro', { input: 21, output: 168 }],
  ['gpt-5.1 gpt-5.1-codex gpt-5.1-codex-max gpt-5 gpt-5-codex', { input: 1.25, output: 10, cacheRead: 0.125 }],
  ['gpt-5.1-codex-mini gpt-5-mini', { input: 0.25, output: 2, cacheRead: 0.025 }],
  ['gpt-5-nano', { input: 0.05, output: 0.4, cacheRead: 0.005 }],
  ['gpt-5-pro', { input: 15, output: 120 }],
  ['gpt-4.1 o3', { input: 2, output: 8, cacheRead: 0.5 }],
  ['gpt-4.1-mini', { input: 0.4, output: 1.6, cacheRead: 0.1 }],
  ['gpt-4.1-nano', { input: 0.1, output: 0.4, cacheRead: 0.025 }],
  ['gpt-4o', { input: 2.5, output: 10, cacheRead: 1.25 }],
  ['gpt-4o-mini', { input: 0.15, output: 0.6, cacheRead: 0.075 }],
  ['o4-mini', { input: 1.1, output: 4.4, cacheRead: 0.275 }],

  ['gemini-3.5-flash', { input: 1.5, output: 9, cacheRead: 0.15 }],
  ['gemini-3.1-pro gemini-3-pro', gemini(2, 12)],
  ['gemini-3.1-flash-lite', { input: 0.25, output: 1.5, cacheRead: 0.025 }],
  ['gemini-3-flash', { input: 0.5, output: 3, cacheRead: 0.05 }],
  ['gemini-2.5-pro', gemini(1.25, 10)],
  ['gemini-2.5-flash', { input: 0.3, output: 2.5, cacheRead: 0.03 }],
  ['gemini-2.5-flash-lite', { input: 0.1, output: 0.4, cacheRead: 0.01 }],

  // A script is free, not of unknown price.
  ['scripted:', { input: 0, output: 0 }],
];

export const BUILT_IN_PRICES: Prices = Object.fromEntries(
  PRICE_LIST.flatMap(([models, price]) => models.split(' ').map((model) => [model, price])),
);

function claude(input: number, output: number, cacheRead = input / 10): Price {
  return { input, output, cacheRead, cacheWrite: input * 1.25 };
}

/** Gemini's Pro models cost twice the input and 1.5 times the output price above 200,000 tokens. */
function gemini(input: number, output: number): Price {
  const long = { above: 200_000, input: input * 2, output: output * 1.5, cacheRead: input / 5 };
  return { input, output, cacheRead: input / 10, long };
}
