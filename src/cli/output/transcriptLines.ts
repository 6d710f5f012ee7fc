import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { Paint } from './colors.ts';
import { oneLine } from './visibleText.ts';

/** A transcript in Claude Code's form for people: prompts and words, calls, the first line of each result. */
export function transcriptLines(text: string, paint: Paint): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const entry = jsonValue(line);
    if (!isObject(entry) || !isObject(entry.message)) return [];
    const { content } = entry.message;
    if (entry.type === 'user' && typeof content === 'string')
      return content.split('\n').map((prompt) => paint(entry.isMeta === true ? 'dim' : 'bold', `> ${prompt}`));
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
    return blocks.flatMap((block) => (isObject(block) ? blockLines(block, paint) : []));
  });
}

function blockLines(block: Readonly<Record<string, unknown>>, paint: Paint): readonly string[] {
  const { type, text, name, input, content } = block;
  if (type === 'text' && typeof text === 'string') return text.split('\n');
  if (type === 'tool_use')
    return [`${paint('cyan', '●')} ${paint('bold', String(name))} ${oneLine(JSON.stringify(input), 200)}`];
  if (type === 'tool_result' && typeof content === 'string') return [paint('dim', `  ${oneLine(content, 200)}`)];
  return [];
}
