import { writeSync } from 'node:fs';
import { terminalText } from './terminalText.ts';

/**
 * Writes all of a text before it returns, without the streams of Node, whose start costs a short-lived process more than
 * all else. A slow or missing reader is not an error.
 */
export function printNow(descriptor: 1 | 2, text: string): void {
  if (text === '') return;
  let unwritten = Buffer.from(terminalText(text), 'utf8');
  while (unwritten.length > 0) {
    try {
      unwritten = unwritten.subarray(writeSync(descriptor, unwritten));
    } catch (error) {
      // EAGAIN: the pipe is full; any other error means that the reader is gone
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
