import { LineSplitter } from '../git/lineSplitter.ts';
import { isObject, type JsonObject, jsonValue } from '../schemas/jsonValue.ts';

/** Lines of `stream-json` that are no answer; those of other types may be. */
const SILENT: ReadonlySet<unknown> = new Set([
  'system',
  'user',
  'stream_event',
  'rate_limit_event',
  'control_response',
]);

/**
 * Watches the output of an agent that prints like Claude Code, in any of its formats: text, one JSON object, or one per line.
 * Its start and an empty result are no answer; an error is one.
 */
export function printedAnswer() {
  let answered = false;
  const lines = new LineSplitter((line) => {
    answered ||= hasAnswer(line);
  });
  return {
    push: (chunk: string) => {
      // a run that answered needs no more reading
      if (!answered) lines.push(chunk);
    },
    /** Called when the agent is gone. */
    answered: () => {
      lines.end();
      return answered;
    },
  };
}

function hasAnswer(line: string): boolean {
  if (line.trim() === '') return false;
  const value = /^[{[]/.test(line) ? jsonValue(line) : undefined;
  const events = Array.isArray(value) ? value : [value];
  return !events.every((event) => isObject(event) && isSilent(event));
}

function isSilent(event: JsonObject): boolean {
  if (event.type === 'result') return event.is_error !== true && String(event.result ?? '').trim() === '';
  if (event.type !== 'assistant') return SILENT.has(event.type);
  const { content } = isObject(event.message) ? event.message : {};
  return Array.isArray(content) && content.every((block: JsonObject | null) => block?.type === 'text' && !block.text);
}
