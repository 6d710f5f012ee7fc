import type { AgentCommand } from '../../hosts/host.ts';
import { printedAnswer } from '../../hosts/printedAnswer.ts';
import { redactedStream } from '../../system/redactedStream.ts';
import type { Writer } from '../../system/writer.ts';
import type { SpendWatch } from '../watchSpend.ts';

/** The end of its output, for a task that it leaves unsettled. */
export interface AgentTail {
  /** Of stdout: what it answers. */
  text: string;
  /** Of stderr: why it failed. Apart, so that a secret in one stream is not cut by the other. */
  errors: string;
}

export const NO_OUTPUT: Readonly<AgentTail> = { text: '', errors: '' };

const TAIL_CHARS = 4_000;
/** A host may report why it failed in a long line of JSON. */
const PRINTED_CHARS = 16_000;

interface Readers {
  readonly writer: Pick<Writer, 'out' | 'err'>;
  readonly secrets: readonly string[];
  readonly tail: AgentTail;
  readonly spend: SpendWatch;
}

/**
 * Passes on what an agent prints, without secrets: a worker's output may be stored as a log. The reader gets the text that it would
 * get from an agent whose spending is not read.
 */
export function agentOutput(command: Pick<AgentCommand, 'form'>, { writer, secrets, tail, spend }: Readers) {
  const answer = printedAnswer();
  let printed = '';
  const shown = { stdout: redactedStream(secrets), stderr: redactedStream(secrets) };
  const text = command.form((piece) => {
    tail.text = (tail.text + piece).slice(-TAIL_CHARS);
    writer.out(shown.stdout.push(piece));
  });
  return {
    push: (stream: 'stdout' | 'stderr', chunk: string) => {
      if (stream === 'stderr') {
        tail.errors = (tail.errors + chunk).slice(-TAIL_CHARS);
        return writer.err(shown.stderr.push(chunk));
      }
      printed = (printed + chunk).slice(-PRINTED_CHARS);
      answer.push(chunk);
      spend.push(chunk);
      text.push(chunk);
    },
    /** Called when the agent is gone. */
    end: () => {
      text.end();
      writer.out(shown.stdout.end());
      writer.err(shown.stderr.end());
    },
    answered: () => answer.answered(),
    /** The end of what it printed, as it printed it. */
    printed: () => printed,
  };
}
