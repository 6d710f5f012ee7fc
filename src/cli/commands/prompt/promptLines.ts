import type { PromptInbox } from '../../../query/prompt/runSession.ts';
import { userLine } from '../../../schemas/inputLines.ts';
import { parseJson } from '../../../schemas/json.ts';
import { UserError } from '../../../system/userError.ts';

const MAX_LINE = 10_000_000;

type ReadLine =
  | { readonly type: 'prompt'; readonly text: string; readonly note?: string }
  | { readonly type: 'skipped'; readonly note: string }
  | { readonly type: 'blank' };

/** One line of stream-json input. A line that is not JSON ends the run, since its prompt would be lost. */
function readLine(line: string, number: number): ReadLine {
  if (line.trim() === '') return { type: 'blank' };
  const json = parseJson(line);
  if (json.type === 'broken')
    throw new UserError(`stdin, line ${number} is not JSON; --input-format stream-json needs one object per line.`);
  const { data } = userLine.safeParse(json.value);
  if (data === undefined)
    return { type: 'skipped', note: `stdin, line ${number} is not a user message and was skipped.` };
  const { content } = data.message;
  if (typeof content === 'string') return { type: 'prompt', text: content };
  const others = content.filter(({ type }) => type !== 'text').map(({ type }) => type);
  const text = content
    .flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []))
    .join('\n');
  const note = `stdin, line ${number}: only the text of a message is used; skipped: ${others.join(', ')}.`;
  return { type: 'prompt', text, ...(others.length > 0 ? { note } : {}) };
}

/** The prompts on stdin, one per line, until it is closed. */
export function promptLines(input: AsyncIterable<Buffer>, warn: (sentence: string) => void): PromptInbox {
  const waiting: string[] = [];
  let ended = false;
  let failure: unknown;
  let arrived = Promise.withResolvers<void>();
  const notify = () => {
    arrived.resolve();
    arrived = Promise.withResolvers<void>();
  };
  const take = (line: string, number: number) => {
    const read = readLine(line, number);
    if ('note' in read && read.note !== undefined) warn(read.note);
    if (read.type !== 'prompt') return;
    waiting.push(read.text);
    notify();
  };
  const reading = readLines(input, take)
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      ended = true;
      notify();
    });
  void reading;
  return {
    isWaiting: () => waiting.length > 0,
    arrival: () => (waiting.length > 0 || ended ? Promise.resolve() : arrived.promise),
    isOpen: () => !ended,
    next: async (signal) => {
      const aborted = Promise.withResolvers<void>();
      const abort = () => aborted.resolve();
      signal?.addEventListener('abort', abort, { once: true });
      while (waiting.length === 0 && !ended && !signal?.aborted) await Promise.race([arrived.promise, aborted.promise]);
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
      throw new UserError('A line on stdin is longer than 10 MB; put the text in a file and refer to the file.');
  }
  take(rest, number + 1);
}
