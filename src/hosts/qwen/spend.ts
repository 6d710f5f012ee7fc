import { isObject } from '../../schemas/jsonValue.ts';
import { estimatedUse, type SpendStream, usageOf } from '../streamSpend.ts';

/**
 * Each message has its count, except one that a refused stop continues: its text goes on and only the last count is reported
 * (0.24.4). The result has all of them, side requests too, without a model.
 */
export function qwenSpend(): SpendStream {
  let model = '';
  return {
    message: ({ type, message }) => {
      if (type !== 'assistant' || !isObject(message)) return null;
      if (typeof message.model === 'string') model = message.model;
      const counted = countsOf(message.usage);
      const said = estimatedUse(model, JSON.stringify(message.content ?? ''));
      // its text and its calls come apart, and the count with the last of them
      return counted.outputTokens > 0 || message.stop_reason !== null ? { model, usage: counted } : said;
    },
    total: ({ type, usage }) => (type === 'result' && isObject(usage) ? [{ model, usage: countsOf(usage) }] : null),
  };
}

/** Its input includes what was cached. */
function countsOf(value: unknown) {
  const {
    input_tokens: all,
    output_tokens: output,
    cache_read_input_tokens: cached = 0,
  } = isObject(value) ? value : {};
  return usageOf({ input: Number(all) - Number(cached), output, cached });
}
