import type { ProcessEnd, ProcessSpec } from '../../system/processes.ts';
import type { ToolContext } from '../toolContext.ts';
import type { BackgroundShell } from './backgroundShells.ts';
import { runShell, type ShellProcess } from './runShell.ts';
import type { ShellLimits } from './shellLimits.ts';
import { UnreadText } from './unreadText.ts';

const PROGRESS_CHARACTERS = 2000;

/** A command of a call that waits for it, until it ends or is moved to the background. */
export interface StartedCommand {
  readonly ended: Promise<ProcessEnd>;
  /** Whether it may be moved; one that may not is ended by its timeout. */
  readonly moves: boolean;
  /** The end of what it printed so far. */
  recent(): string;
  move(
    input: { readonly command: string; readonly description?: string | undefined },
    context: ToolContext,
  ): { readonly shell: BackgroundShell; readonly said: string; readonly lost: number };
  /** Ends it, if it still is the call's. */
  close(): Promise<void>;
}

export interface CommandTerms {
  readonly limits: ShellLimits;
  readonly moves: boolean;
  readonly context: ToolContext;
}

type OnOutput = NonNullable<ProcessSpec['onOutput']>;

export function startCommand(
  { sandbox, ...shell }: Pick<ShellProcess, 'start' | 'sandbox' | 'hasBegun'>,
  { limits, moves, context: { processes, signal } }: CommandTerms,
): StartedCommand {
  const stop = new AbortController();
  const abort = () => stop.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const said = new UnreadText();
  let recent = '';
  let onward: OnOutput | undefined;
  let isMoved = false;
  const ended = runShell(processes, {
    ...shell,
    sandbox,
    ...(moves ? {} : { timeoutMs: limits.timeoutMs }),
    maxOutputBytes: 4 * limits.maxOutputCharacters,
    signal: stop.signal,
    onOutput: (stream, chunk) => {
      if (onward) return onward(stream, chunk);
      recent = (recent + chunk).slice(-PROGRESS_CHARACTERS);
      if (moves) said.push(chunk);
    },
  });
  return {
    ended,
    moves,
    recent: () => recent,
    move: ({ command, description }, { shells }) => {
      isMoved = true;
      // an interrupted call is over; its session ends what is in the background
      signal.removeEventListener('abort', abort);
      const { text, lost } = said.take();
      const settled = ended.finally(() => sandbox?.settle());
      const follow = (onOutput: OnOutput) => {
        onward = onOutput;
      };
      const shell = shells.adopt({ command, description, ended: settled, stop, before: text, follow });
      return { shell, said: text, lost };
    },
    close: async () => {
      if (isMoved) return;
      signal.removeEventListener('abort', abort);
      stop.abort();
      await ended;
    },
  };
}
