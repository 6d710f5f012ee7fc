import type { Writer } from '../../../../system/writer.ts';
import { showNotice } from './modelNotice.ts';
import type { Output } from './output.ts';

/** The result line alone, when the session is over. Warnings go to stderr, so that stdout stays one JSON value. */
export function jsonOutput(writer: Writer): Output {
  return {
    start: () => {},
    event: (event) => showNotice(event, writer),
    turnEnd: () => {},
    end: (result) => writer.out(`${JSON.stringify(result)}\n`),
    warn: (sentence) => writer.err(`stopgate: ${sentence}\n`),
  };
}
