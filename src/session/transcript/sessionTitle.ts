import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { readTextFile } from '../../system/readTextFile.ts';

/** Enough for the first prompt, even with files that were read before it. */
const HEAD_BYTES = 256 * 1024;

/** The first prompt of a session, as its title; undefined when its beginning has none. */
export async function sessionTitle(file: string): Promise<string | undefined> {
  const read = await readTextFile(file, HEAD_BYTES);
  if (read.type !== 'read') return undefined;
  for (const line of read.text.split('\n')) {
    const prompt = promptIn(jsonValue(line));
    if (prompt !== undefined) return prompt;
  }
  return undefined;
}

function promptIn(line: unknown): string | undefined {
  if (!isObject(line) || line.type !== 'user' || line.isMeta === true || !isObject(line.message)) return undefined;
  const { content } = line.message;
  return typeof content === 'string' && content.trim() !== '' ? content.trim() : undefined;
}
