import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import type { OutputForm } from '../host.ts';
import { eventLines } from '../streams/eventLines.ts';
import { estimatedUse, type ModelUse, type SpendStream, usageOf } from '../streams/streamSpend.ts';

/** What it says, as it says it, from its stream: its text output runs all answers together. */
export const asText: OutputForm = (write) => {
  let isOpen = false;
  const close = () => {
    if (isOpen) write('\n');
    isOpen = false;
  };
  return eventLines({
    onEvent: (event) => {
      const text = saidIn(event);
      if (text !== '') {
        write(text);
        isOpen = !text.endsWith('\n');
      } else close();
      const problem = problemIn(event);
      if (problem !== null) write(`${problem}\n`);
    },
    onText: (line) => {
      close();
      write(line);
    },
    onEnd: close,
  });
};

const saidIn = ({ type, role, content }: JsonObject): string =>
  type === 'message' && role === 'assistant' && typeof content === 'string' ? content : '';

/** Refused stops are warnings, which the launch reports itself. */
function problemIn({ type, severity, message, error }: JsonObject): string | null {
  if (type === 'error') return severity === 'warning' ? null : String(message);
  return type === 'result' && isObject(error) ? String(error.message) : null;
}

/**
 * Its stream has the tokens at its end only (0.61.0), so until then they are estimated from what it says and calls. Thoughts
 * are in the total, and in neither part of it.
 */
export function geminiSpend(): SpendStream {
  let model = '';
  return {
    message: (event) => {
      if (event.type === 'init') model = String(event.model);
      const text = spokenIn(event);
      return text === '' ? null : estimatedUse(model, text);
    },
    total: ({ type, stats }) => {
      const models = type === 'result' && isObject(stats) ? stats.models : undefined;
      return isObject(models) ? Object.entries(models).flatMap(([name, used]) => useOf(name, used)) : null;
    },
  };
}

function spokenIn({ type, role, content, parameters }: JsonObject): string {
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
