import type { OutputForm } from '../hosts/host.ts';
import type { Clock } from '../system/clock.ts';
import type { ProcessRunner, ProcessSpec } from '../system/processes.ts';
import { isStdinPiped } from '../system/readStdin.ts';
import type { Writer } from '../system/writer.ts';
import type { AgentEnd } from './superviseAgent.ts';
import { rememberTerminal, signalMarked, terminalProcesses } from './terminalAgent.ts';

/** Connects an agent to the person or script that launched it. */
export interface Attachment {
  readonly processes: Pick<ProcessRunner, 'start'>;
  readonly streams: Pick<ProcessSpec, 'input' | 'onOutput'>;
  /** For our own lines while the agent runs. */
  readonly writer: Pick<Writer, 'err'>;
  readonly interrupt?: (pid: number, env: ProcessSpec['env']) => void;
  /** Called when the agent is gone. */
  detach(end: AgentEnd): void;
}

export interface AttachFacts {
  readonly processes: ProcessRunner;
  readonly clock: Clock;
  readonly writer: Writer;
  readonly onStdout: (chunk: string) => void;
  readonly form: OutputForm;
}

/** Headless: passes on its output, and gives it piped input. */
export function attachByPipes({ processes, writer, onStdout, form }: AttachFacts): Attachment {
  const output = form(writer.raw.out);
  return {
    processes,
    writer,
    streams: {
      // a headless agent would wait for an idle terminal
      input: isStdinPiped() ? process.stdin : '',
      onOutput: (stream, chunk) => {
        if (stream === 'stderr') return writer.raw.err(chunk);
        onStdout(chunk);
        output.push(chunk);
      },
    },
    detach: () => output.end(),
  };
}

/** Interactive: the agent has the terminal to itself, so our own lines wait until it is gone. */
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
