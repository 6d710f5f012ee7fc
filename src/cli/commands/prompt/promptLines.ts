import type { PromptInbox } from '../../../query/prompt/runSession.ts';
import { userLine } from '../../../schemas/inputLines.ts';
import { parseJson } from '../../../schemas/json.ts';
import { UserError } from '../../../system/userError.ts';

const MAX_LINE = 10_000_000;

type ReadLine =
  | { readonly type: 'prompt'; readonly text: string; readonly note?: string }
  | { readonly type: 'skipped'; readonly note: string }
  | { readonly type: 'blank' };

/** One line of stream-json input. A line that cannot be read ends the run: what it asked for would be missing. */
function readLine(line: string, number: number): ReadLine {
  if (line.trim() === '') return { type: 'blank' };
  const json = parseJson(line);
  if (json.type === 'broken')
    throw new UserError(`stdin, line ${number} is not JSON; --input-format stream-json takes one object a line.`);
  const { data } = userLine.safeParse(json.value);
  if (data === undefined)
    return { type: 'skipped', note: `stdin, line ${number} is not a user message; it is left out.` };
  const { content } = data.message;
  if (typeof content === 'string') return { type: 'prompt', text: content };
  const others = content.filter(({ type }) => type !== 'text').map(({ type }) => type);
  const text = content
    .flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []))
    .join('\n');
  const note = `stdin, line ${number}: only text is taken from a message; left out: ${others.join(', ')}.`;
  return { type: 'prompt', text, ...(others.length > 0 ? { note } : {}) };
}

/** The prompts that come on stdin, one a line, for as long as it is open. */
export function promptLines(input: AsyncIterable<Buffer>, warn: (sentence: string) => void): PromptInbox {
  const waiting: string[] = [];
  let ended = false;
  let failure: unknown;
  let news = Promise.withResolvers<void>();
  const tell = () => {
    news.resolve();
    news = Promise.withResolvers<void>();
  };
  const take = (line: string, number: number) => {
    const read = readLine(line, number);
    if ('note' in read && read.note !== undefined) warn(read.note);
    if (read.type !== 'prompt') return;
    waiting.push(read.text);
    tell();
  };
  const reading = readLines(input, take)
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      ended = true;
      tell();
    });
  void reading;
  return {
    isWaiting: () => waiting.length > 0,
    arrival: () => (waiting.length > 0 || ended ? Promise.resolve() : news.promise),
    isOpen: () => !ended,
    next: async (signal) => {
      const aborted = Promise.withResolvers<void>();
      const abort = () => aborted.resolve();
      signal?.addEventListener('abort', abort, { once: true });
      while (waiting.length === 0 && !ended && !signal?.aborted) await Promise.race([news.promise, aborted.promise]);
      signal?.removeEventListener('abort', abort);
      const first = waiting.shift();
      if (first === undefined && failure !== undefined) throw failure;
      return signal?.aborted ? undefined : first;
    },
  };
}

async function readLines(input: AsyncIterable<Buffer>, take: (line: string, number: number) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  for await (const chunk of input) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line, ++number);
    if (rest.length > MAX_LINE)
      throw new UserError('A line of more than 10 MB came on stdin; put it in a file and name the file.');
  }
  take(rest, number + 1);
}
