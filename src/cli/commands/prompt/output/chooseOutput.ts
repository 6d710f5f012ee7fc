import type { Writer } from '../../../../system/writer.ts';
import { paintFor } from '../../../output/colors.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { type Output, showNotice } from './output.ts';
import { screenOutput } from './screenOutput.ts';
import { streamJsonOutput } from './streamJsonOutput.ts';
import { textOutput } from './textOutput.ts';

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
    event: (event) => showNotice(event, writer),
    turnEnd: () => {},
    end: (result) => writer.out(`${JSON.stringify(result)}\n`),
    warn: (sentence) => writer.err(`stopgate: ${sentence}\n`),
  };
}
