import type { ToolContext } from '../toolContext.ts';
import { runShell, type ShellProcess } from './runShell.ts';
import type { ShellLimits } from './shellLimits.ts';
import { UnreadText } from './unreadText.ts';

const PROGRESS_CHARACTERS = 2000;

interface CommandTerms {
  readonly limits: ShellLimits;
  /** Whether it may be moved to the background; otherwise its timeout stops it. */
  readonly moves: boolean;
  readonly context: ToolContext;
}

type OnOutput = ShellProcess['onOutput'];
export type StartedCommand = ReturnType<typeof startCommand>;

/** A command whose call waits until it ends or is moved to the background. */
export function startCommand(
  { sandbox, ...shell }: Pick<ShellProcess, 'start' | 'sandbox' | 'hasBegun'>,
  { limits, moves, context: { processes, signal, shells } }: CommandTerms,
) {
  const stop = new AbortController();
  const abort = () => stop.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const printed = new UnreadText();
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
      if (moves) printed.push(chunk);
    },
  });
  return {
    ended,
    moves,
    /** The end of its output so far. */
    recent: () => recent,
    move: ({ command, description }: { readonly command: string; readonly description?: string | undefined }) => {
      isMoved = true;
      // from now on only the session stops it
      signal.removeEventListener('abort', abort);
      const { text, lost } = printed.take();
      const settled = ended.finally(() => sandbox?.settle());
      const follow = (onOutput: OnOutput) => {
        onward = onOutput;
      };
      const shell = shells.adopt({ command, description, ended: settled, stop, before: text, follow });
      return { shell, printed: text, lost };
    },
    /** Stops it, unless it was moved. */
    close: async () => {
      if (isMoved) return;
      signal.removeEventListener('abort', abort);
      // with a reason, because without one an error with its stack is made
      stop.abort('closed');
      await ended;
    },
  };
}
