import { writeSync } from 'node:fs';
import { terminalText } from './terminalText.ts';

/**
 * Writes all of a text before it returns, without the stream machinery, which a short-lived process would pay for more
 * than for all it does. A host that reads slowly, or no longer, is no error of ours.
 */
export function sayNow(descriptor: 1 | 2, text: string): void {
  if (text === '') return;
  let rest = Buffer.from(terminalText(text), 'utf8');
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // a pipe that is full for the moment; everything else is a reader that went away
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
