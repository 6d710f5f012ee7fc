import { isObject, type JsonObject, jsonValue } from '../schemas/jsonValue.ts';
import { eventLines } from './eventLines.ts';
import type { OutputForm } from './host.ts';

/** The object of a line, if it is one. */
export function objectIn(line: string): JsonObject | null {
  const value = line.startsWith('{') ? jsonValue(line) : undefined;
  return isObject(value) ? value : null;
}

/** A text for people from an agent's events: `words` has what one says, and null for nothing. Other lines stay. */
export const readableForm =
  (words: (event: JsonObject) => string | null): OutputForm =>
  (write) =>
    eventLines({
      onEvent: (event) => {
        const text = words(event) ?? '';
        if (text.trim() !== '') write(text.endsWith('\n') ? text : `${text}\n`);
      },
      onText: write,
    });
