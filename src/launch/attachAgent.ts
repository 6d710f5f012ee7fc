import { OUTPUT_FORMS, type OutputForm } from '../hosts/outputForms.ts';
import type { Clock } from '../system/clock.ts';
import type { ProcessRunner, ProcessSpec } from '../system/processes.ts';
import type { Writer } from '../system/writer.ts';
import { pipedInput } from './pipedInput.ts';
import type { AgentEnd } from './superviseAgent.ts';
import { rememberTerminal, signalMarked, terminalProcesses } from './terminalAgent.ts';

/** What connects an agent to the person or script that launched it. */
export interface Attachment {
  readonly processes: Pick<ProcessRunner, 'start'>;
  readonly streams: Pick<ProcessSpec, 'input' | 'onOutput'>;
  /** For lines of our own while the agent runs. */
  readonly writer: Pick<Writer, 'err'>;
  readonly interrupt?: (pid: number, env: ProcessSpec['env']) => void;
  /** The agent is gone. */
  detach(end: AgentEnd): void;
}

export interface AttachFacts {
  readonly processes: ProcessRunner;
  readonly clock: Clock;
  readonly writer: Writer;
  readonly onStdout: (chunk: string) => void;
  readonly form: OutputForm;
}

/** Headless: its output is passed on, and piped input is its own. */
export function attachByPipes({ processes, writer, onStdout, form }: AttachFacts): Attachment {
  const output = OUTPUT_FORMS[form](writer.raw.out);
  return {
    processes,
    writer,
    streams: {
      input: pipedInput(),
      onOutput: (stream, chunk) => {
        if (stream === 'stderr') return writer.raw.err(chunk);
        onStdout(chunk);
        output.push(chunk);
      },
    },
    detach: () => output.end(),
  };
}

/** Interactive: the terminal is the agent's alone, so our own lines wait until it is gone. */
export function attachToTerminal({ clock, writer }: AttachFacts): Attachment {
  const terminal = rememberTerminal();
  const waiting: string[] = [];
  return {
    processes: terminalProcesses(clock),
    writer: { err: (text) => void waiting.push(text) },
    streams: {},
    interrupt: (pid, env) => signalMarked({ env }, pid, 'SIGINT'),
    detach: ({ type, end }) => {
      const leftByItself = type === 'finished' && end.type !== 'signalled';
      if (!leftByItself) terminal.restore();
      for (const text of waiting) writer.err(text);
    },
  };
}
