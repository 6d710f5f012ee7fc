import type { Writer } from '../../../../system/writer.ts';
import { paintFor } from '../../../output/colors.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { jsonOutput } from './jsonOutput.ts';
import type { Output } from './output.ts';
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
