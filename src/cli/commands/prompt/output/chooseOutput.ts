import type { Writer } from '../../../../system/writer.ts';
import { paintFor } from '../../../output/colors.ts';
import { statusLine } from '../../../output/statusLine.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { isFailure } from '../ending.ts';
import { hookStatus } from './hookStatus.ts';
import { type Output, warningIn } from './output.ts';
import { screenOutput } from './screenOutput.ts';
import { streamJsonOutput } from './streamJsonOutput.ts';

interface OutputFacts {
  readonly writer: Writer;
  readonly flags: PromptFlags;
  readonly env: Readonly<Record<string, string>>;
  readonly now: () => number;
  readonly sessionId: () => string;
}

const OUTPUTS: { readonly [Format in PromptFlags['outputFormat']]: (facts: OutputFacts) => Output } = {
  json: ({ writer }) => jsonOutput(writer),
  'stream-json': ({ writer, flags, sessionId }) => streamJsonOutput(writer, { ...flags, sessionId }),
  text: ({ writer, env, now }) =>
    writer.outIsTerminal ? screenOutput(writer, paintFor(true, env), now) : textOutput(writer, now),
};

export const chooseOutput = (facts: OutputFacts): Output => OUTPUTS[facts.flags.outputFormat](facts);

/** Only the result line, at the end. Warnings go to stderr, so that stdout stays one JSON value. */
function jsonOutput(writer: Writer): Output {
  return {
    start: () => {},
    event: (event) => {
      const warning = warningIn(event);
      if (warning !== undefined) writer.err(`stopgate: ${warning}\n`);
    },
    turnEnd: () => {},
    end: (result) => writer.out(`${JSON.stringify(result)}\n`),
    warn: (sentence) => writer.err(`stopgate: ${sentence}\n`),
  };
}

/** For pipes and scripts: only the answer on stdout; a terminal on stderr gets a status line. */
function textOutput(writer: Writer, now: () => number): Output {
  const status = statusLine(writer, now);
  const hooks = hookStatus();
  return {
    start: (init) => status.show(`${init.model} is thinking`),
    event: (event) => {
      const running = hooks(event);
      if (running !== undefined) status.show(running);
      if (event.type === 'tool_start') status.show(`${event.name} ${event.summary}`);
      if (event.type === 'stream_request_start') status.show(`thinking (request ${event.turnCount})`);
      const warning = warningIn(event);
      if (warning !== undefined) {
        status.clear();
        writer.err(`stopgate: ${warning}\n`);
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
