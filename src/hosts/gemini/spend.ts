import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import { estimatedUse, type ModelUse, type SpendStream, usageOf } from '../streamSpend.ts';

/**
 * Its stream has the tokens at its end only (0.61.0), so until then they are estimated from what it says and calls. Thoughts
 * are in the total, and in neither part of it.
 */
export function geminiSpend(): SpendStream {
  let model = '';
  return {
    message: (event) => {
      if (event.type === 'init') model = String(event.model);
      const text = textOf(event);
      return text === '' ? null : estimatedUse(model, text);
    },
    total: ({ type, stats }) => {
      const models = type === 'result' && isObject(stats) ? stats.models : undefined;
      return isObject(models) ? Object.entries(models).flatMap(([name, used]) => useOf(name, used)) : null;
    },
  };
}

function textOf({ type, role, content, parameters }: JsonObject): string {
  if (type === 'message' && role === 'assistant') return typeof content === 'string' ? content : '';
  return type === 'tool_use' ? JSON.stringify(parameters ?? '') : '';
}

function useOf(model: string, used: unknown): readonly ModelUse[] {
  if (!isObject(used)) return [];
  const { total_tokens: total, input_tokens: prompt, output_tokens: answer, cached, input } = used;
  const thought = Number(total) - Number(prompt);
  const output = thought > Number(answer) ? thought : answer;
  return [{ model, usage: usageOf({ input, output, cached }) }];
}
