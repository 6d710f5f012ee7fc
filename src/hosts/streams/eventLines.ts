import { LineSplitter } from '../../git/lineSplitter.ts';
import { isObject, type JsonObject, jsonValue } from '../../schemas/jsonValue.ts';
import type { OutputForm } from '../host.ts';

interface LineReaders {
  readonly onEvent: (event: JsonObject) => void;
  /** Called with any other line, and its newline. */
  readonly onText?: (line: string) => void;
  readonly onEnd?: () => void;
}

/** Reads an output of one JSON object per line as it arrives; several in one array count each. */
export function eventLines({ onEvent, onText = () => {}, onEnd = () => {} }: LineReaders) {
  const lines = new LineSplitter((line) => {
    const value = /^[{[]/.test(line) ? jsonValue(line) : undefined;
    const events = (Array.isArray(value) ? value : [value]).filter((one) => isObject(one) && 'type' in one);
    if (events.length === 0) onText(`${line}\n`);
    else for (const event of events) onEvent(event);
  });
  return {
    push: (chunk: string) => lines.push(chunk),
    end: () => {
      lines.end();
      onEnd();
    },
  };
}

/** The first field of this name in a line's event of a type, for `AgentCommand.sessionIn`. */
export const fieldIn =
  (type: string, name: string) =>
  (line: string): string | undefined => {
    if (!line.startsWith('{') || !line.includes(`"type":"${type}"`)) return undefined;
    const event = objectIn(line);
    const value = event?.type === type ? event[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };

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

/** The last event of a type at the end of an output. */
export const lastEvent = (tail: string, type: string): JsonObject | null | undefined =>
  tail
    .split('\n')
    .map((line) => objectIn(line.trim()))
    .findLast((event) => event?.type === type);
