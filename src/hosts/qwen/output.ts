import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import type { OutputForm } from '../host.ts';
import { eventLines } from '../streams/eventLines.ts';
import { estimatedUse, type SpendStream, usageOf } from '../streams/streamSpend.ts';

/** What it says, message by message, from its stream. */
export const asText: OutputForm = (write) => {
  let last = '';
  return eventLines({
    onEvent: (event) => {
      const text = event.type === 'assistant' ? textOf(event) : errorOf(event);
      // an error is also said
      if (text === '' || text === last) return;
      last = text;
      write(text.endsWith('\n') ? text : `${text}\n`);
    },
    onText: write,
  });
};

function textOf({ message, parent_tool_use_id: parent }: JsonObject): string {
  const { content } = isObject(message) && parent === null ? message : {};
  if (!Array.isArray(content)) return '';
  return content.flatMap((block) => (isObject(block) && typeof block.text === 'string' ? [block.text] : [])).join('\n');
}

const errorOf = ({ type, error }: JsonObject): string =>
  type === 'result' && isObject(error) ? String(error.message) : '';

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
