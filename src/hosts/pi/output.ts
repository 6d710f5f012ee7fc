import { isObject, type JsonObject, valueAt } from '../../schemas/jsonValue.ts';
import { addedSpend } from '../streams/addedSpend.ts';
import { fieldIn, readableForm } from '../streams/eventLines.ts';
import { countOf } from '../streams/streamSpend.ts';

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
export const piSession: (line: string) => string | undefined = fieldIn('session', 'id');

/** One answer is one request. */
export const piSpend = addedSpend('"message_end"', (event) => {
  const usage = answerIn(event)?.usage;
  if (!isObject(usage)) return null;
  return { outputTokens: countOf(usage.output), usd: countOf(valueAt(usage, ['cost', 'total'])) };
});
