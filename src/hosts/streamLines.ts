import { LineSplitter } from '../git/lineSplitter.ts';
import { isPiece } from './claudeCode/withoutPieces.ts';

export type StreamEvent = Readonly<Record<string, unknown>>;

/** The events of a `stream-json` output one by one; a line that is none is passed on as it is. */
export function streamLines(onEvent: (event: StreamEvent) => void, onOther: (text: string) => void) {
  let ended = false;
  const lines = new LineSplitter((line) => {
    if (isPiece(line)) return;
    const event = eventOf(line);
    if (event === null) onOther(ended ? line : `${line}\n`);
    else onEvent(event);
  });
  return {
    push: (chunk: string) => lines.push(chunk),
    end: () => {
      ended = true;
      lines.end();
    },
  };
}

function eventOf(line: string): StreamEvent | null {
  if (!line.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'type' in value ? (value as StreamEvent) : null;
  } catch {
    return null;
  }
}
