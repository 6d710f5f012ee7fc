import { isObject, type JsonObject, valueAt } from '../../schemas/jsonValue.ts';
import { addedSpend, countOf } from '../addedSpend.ts';
import { readableForm } from '../jsonLines.ts';

/** What `opencode run --format json` says to a reader: its texts, and why it failed. */
export const opencodeText = readableForm((event) => {
  if (event.type === 'text') return String(valueAt(event, ['part', 'text']) ?? '');
  return event.type === 'error' ? `opencode failed: ${failureIn(event)}` : null;
});

export function failureIn({ error }: JsonObject): string {
  const message = valueAt(error, ['data', 'message']);
  return String(message ?? (isObject(error) ? error.name : error) ?? 'no reason given');
}

/** Every line names it. */
export const opencodeSession = (line: string): string | undefined => /"sessionID":"([^"]+)"/.exec(line)?.[1];

/** One step is one request. */
export const opencodeSpend = addedSpend('"step_finish"', ({ type, part }) => {
  if (type !== 'step_finish') return null;
  const tokens = valueAt(part, ['tokens']);
  const { output, reasoning } = isObject(tokens) ? tokens : {};
  return { outputTokens: countOf(output) + countOf(reasoning), usd: countOf(valueAt(part, ['cost'])) };
});
