import type { CostOf } from '../../models/prices.ts';
import type { Usage } from '../../models/types.ts';
import type { JsonObject } from '../../schemas/jsonValue.ts';
import type { Spend, SpendReader } from '../host.ts';
import { eventLines } from './eventLines.ts';

/** What a model used. */
export interface ModelUse {
  readonly model: string;
  readonly usage: Usage;
  /** From the length of a text. */
  readonly estimated?: true;
}

/** How a host's stream reports what it uses. */
export interface SpendStream {
  /** Of one message, as it comes. */
  message(event: JsonObject): ModelUse | null;
  /** Of everything since the process began, at its end: replaces what its messages reported. */
  total(event: JsonObject): readonly ModelUse[] | null;
}

const CHARACTERS_PER_TOKEN = 4;

/** The tokens of a text whose count is not reported. */
export const estimatedUse = (model: string, text: string): ModelUse => ({
  model,
  usage: usageOf({ output: Math.ceil(text.length / CHARACTERS_PER_TOKEN) }),
  estimated: true,
});

export const countOf = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** Counts as hosts report them; anything else counts as none. */
export function usageOf({
  input,
  output,
  cached,
}: { readonly [Name in 'input' | 'output' | 'cached']?: unknown }): Usage {
  return {
    inputTokens: countOf(input),
    outputTokens: countOf(output),
    cacheReadTokens: countOf(cached),
    cacheWriteTokens: 0,
  };
}

/** Reads the spending in a stream of events, of one process or of several after each other. */
export function streamSpend(stream: SpendStream, costOf: CostOf): SpendReader {
  let settled: readonly ModelUse[] = [];
  let open: readonly ModelUse[] = [];
  let counted = false;
  const lines = eventLines({
    onEvent: (event) => {
      const total = stream.total(event);
      const message = total === null ? stream.message(event) : null;
      if (total !== null) {
        settled = [...settled, ...total];
        open = [];
      } else if (message !== null) open = [...open, message];
      counted ||= total !== null || message !== null;
    },
  });
  return {
    push: (chunk) => {
      counted = false;
      lines.push(chunk);
      return counted;
    },
    get spend() {
      return spendOf([...settled, ...open], costOf);
    },
    overBudget: undefined,
  };
}

export function spendOf(uses: readonly ModelUse[], costOf: CostOf): Spend {
  const usd = uses.reduce<number | null>((sum, { model, usage }) => {
    const cost = costOf(model, usage);
    return sum === null || cost.type !== 'usd' ? null : sum + cost.usd;
  }, 0);
  const outputTokens = uses.reduce((sum, { usage }) => sum + usage.outputTokens, 0);
  return { outputTokens, usd, ...(uses.some(({ estimated }) => estimated) && { estimated: true as const }) };
}
