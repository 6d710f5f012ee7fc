import type { Writer } from '../../../../system/writer.ts';
import { statusLine } from '../../../output/statusLine.ts';
import { isFailure } from '../ending.ts';
import { hookStatus } from './hookStatus.ts';
import type { Output } from './output.ts';

/** For pipes and scripts: only the answer on stdout; a terminal on stderr gets a status line. */
export function textOutput(writer: Writer, now: () => number): Output {
  const status = statusLine(writer, now);
  const hooks = hookStatus();
  return {
    start: (init) => status.show(`${init.model} is thinking`),
    event: (event) => {
      const running = hooks(event);
      if (running !== undefined) status.show(running);
      if (event.type === 'tool_start') status.show(`${event.name} ${event.summary}`);
      if (event.type === 'stream_request_start') status.show(`thinking (request ${event.turnCount})`);
      if (event.type === 'system' && event.level === 'warning') {
        status.clear();
        writer.err(`stopgate: ${event.content}\n`);
      }
    },
    turnEnd: () => status.clear(),
    end: (result, endText) => {
      status.stop();
      // a script gets the exact bytes of the answer
      const print = writer.outIsTerminal ? writer.out : writer.raw.out;
      // an error is not an answer: it is printed to stderr only
      if (result.result && !isFailure(result.terminal_reason))
        print(result.result.endsWith('\n') ? result.result : `${result.result}\n`);
      if (endText) writer.err(`stopgate: ${endText}\n`);
    },
    warn: (sentence) => {
      status.clear();
      writer.err(`stopgate: ${sentence}\n`);
    },
  };
}
