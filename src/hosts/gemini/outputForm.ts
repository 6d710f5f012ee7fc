import { isObject, type JsonObject } from '../../schemas/jsonValue.ts';
import { eventLines } from '../eventLines.ts';
import type { OutputForm } from '../host.ts';

/** What it says, as it says it, from its stream: its text output runs all answers together. */
export const asText: OutputForm = (write) => {
  let isOpen = false;
  const close = () => {
    if (isOpen) write('\n');
    isOpen = false;
  };
  return eventLines({
    onEvent: (event) => {
      const text = saidIn(event);
      if (text !== '') {
        write(text);
        isOpen = !text.endsWith('\n');
      } else close();
      const problem = problemIn(event);
      if (problem !== null) write(`${problem}\n`);
    },
    onText: (line) => {
      close();
      write(line);
    },
    onEnd: close,
  });
};

const saidIn = ({ type, role, content }: JsonObject): string =>
  type === 'message' && role === 'assistant' && typeof content === 'string' ? content : '';

/** Refused stops are warnings, which the launch reports itself. */
function problemIn({ type, severity, message, error }: JsonObject): string | null {
  if (type === 'error') return severity === 'warning' ? null : String(message);
  return type === 'result' && isObject(error) ? String(error.message) : null;
}
