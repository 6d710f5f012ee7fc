import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import { eventLines } from '../eventLines.ts';
import type { OutputForm } from '../host.ts';

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
