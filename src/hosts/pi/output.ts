import { isObject, type JsonObject, valueAt } from '../../schemas/jsonValue.ts';
import { addedSpend, countOf } from '../addedSpend.ts';
import { objectIn, readableForm } from '../jsonLines.ts';

const answerIn = ({ type, message }: JsonObject): JsonObject | null =>
  type === 'message_end' && isObject(message) && message.role === 'assistant' ? message : null;

/** What `pi --mode json` says to a reader: its texts, and why it failed. */
export const piText = readableForm((event) => {
  const answer = answerIn(event);
  if (answer === null) return null;
  if (answer.stopReason === 'error') return `pi failed: ${String(answer.errorMessage ?? 'no reason given')}`;
  const content = Array.isArray(answer.content) ? answer.content : [];
  return content.flatMap((part) => (isObject(part) && part.type === 'text' ? [String(part.text)] : [])).join('\n');
});

/** The session that a line names. */
export function piSession(line: string): string | undefined {
  if (!line.startsWith('{"type":"session"')) return undefined;
  const id = objectIn(line)?.id;
  return typeof id === 'string' ? id : undefined;
}

/** One answer is one request. */
export const piSpend = addedSpend('"message_end"', (event) => {
  const usage = answerIn(event)?.usage;
  if (!isObject(usage)) return null;
  return { outputTokens: countOf(usage.output), usd: countOf(valueAt(usage, ['cost', 'total'])) };
});
