import { readFileSync } from 'node:fs';
import { parseJson } from '../schemas/json.ts';
import { type Price, type Prices, prices as pricesSchema } from '../schemas/prices.ts';
import { BUILT_IN_PRICES } from './builtInPrices.ts';
import type { Cost } from './ledger.ts';
import type { Usage } from './types.ts';

export type CostOf = (modelId: string, usage: Usage) => Cost;

const UNKNOWN: Cost = { type: 'unknown' };
/** Suffixes that do not make a name another model: `claude-opus-4-5` is not a `claude-opus-4`. */
const SAME_MODEL = /^(-\d{8}|@\d{8}|-\d{4}-\d{2}-\d{2}|-latest|-preview[\w-]*|-\d{3}|\[1m\])*$/;

/** Costs by a price list; `unknown` for a model that is not on it. */
function costsBy(prices: Prices): CostOf {
  const found = new Map<string, Price | undefined>();
  return (modelId, usage) => {
    if (!found.has(modelId)) found.set(modelId, priceOf(prices, modelId));
    const price = found.get(modelId);
    return price ? { type: 'usd', usd: usdFor(price, usage) } : UNKNOWN;
  };
}

/** Costs by the built-in prices. */
export const costOf: CostOf = costsBy(BUILT_IN_PRICES);

export type PriceList =
  | { readonly type: 'ok'; readonly costOf: CostOf }
  | { readonly type: 'bad'; readonly message: string };

/** The built-in prices, overridden by the STOPGATE_PRICES file, or what is wrong with that file. */
export function loadPrices(env: Readonly<Record<string, string | undefined>>): PriceList {
  const file = env.STOPGATE_PRICES;
  if (!file) return { type: 'ok', costOf };
  const bad = (what: string): PriceList => ({
    type: 'bad',
    message: `the price file ${file} (STOPGATE_PRICES) ${what}`,
  });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return bad(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const json = parseJson(text);
  if (json.type === 'broken') return bad(`is not JSON at line ${json.line}, column ${json.column}: ${json.message}`);
  const own = pricesSchema.safeParse(json.value);
  if (own.success) return { type: 'ok', costOf: costsBy({ ...BUILT_IN_PRICES, ...own.data }) };
  const [issue] = own.error.issues;
  return bad(`is not valid at ${issue?.path.join('.') || 'its top'}: ${issue?.message}`);
}

function priceOf(prices: Prices, modelId: string): Price | undefined {
  if (modelId.startsWith('scripted:')) return prices['scripted:'];
  // prices may be for the name with or without its provider
  const names = [modelId, modelId.slice(modelId.lastIndexOf('/') + 1)];
  for (const name of names) {
    const known = Object.keys(prices)
      .filter((key) => name.startsWith(key) && SAME_MODEL.test(name.slice(key.length)))
      .toSorted((a, b) => b.length - a.length)[0];
    if (known !== undefined) return prices[known];
  }
  return undefined;
}

function usdFor(price: Price, usage: Usage): number {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const whole = inputTokens + cacheReadTokens + cacheWriteTokens;
  const rates = price.long && whole > price.long.above ? price.long : price;
  return (
    (inputTokens * rates.input +
      outputTokens * rates.output +
      cacheReadTokens * (rates.cacheRead ?? rates.input) +
      cacheWriteTokens * (rates.cacheWrite ?? rates.input)) /
    1_000_000
  );
}
