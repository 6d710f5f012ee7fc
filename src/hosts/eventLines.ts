import { LineSplitter } from '../git/lineSplitter.ts';
import { isObject, type JsonObject, jsonValue } from '../schemas/jsonValue.ts';

export interface LineReaders {
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
    const event = jsonValue(line);
    const value = isObject(event) && event.type === type ? event[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
