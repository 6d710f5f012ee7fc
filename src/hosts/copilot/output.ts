import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import { fieldIn } from '../eventLines.ts';
import { readableForm } from '../jsonLines.ts';

export const dataOf = ({ data }: JsonObject): JsonObject => (isObject(data) ? data : {});

/** What its stream says to a reader: its messages, and why it failed. */
export const copilotText = readableForm((event) => {
  if (event.type === 'assistant.message') return String(dataOf(event).content ?? '');
  return event.type === 'session.error' ? `Copilot CLI failed: ${dataOf(event).message}` : null;
});

export const copilotSession: (line: string) => string | undefined = fieldIn('result', 'sessionId');
