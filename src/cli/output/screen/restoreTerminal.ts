import { spawn } from 'node:child_process';

/** The main screen, cursor shown, paste and key reports off, colors reset. */
const SANE = '\\033[?47l\\033[?25h\\033[?2004l\\033[<u\\033[>4;0m\\033[?2026l\\033[0m\\r\\n';

/**
 * `taken` and `given` report whose the terminal is; the end of the input without `over` is the session's death. Settings are
 * changed only while they are as the session left them: a shell that is faster has its own for reading a line, and unlike the
 * session it leaves the keys on that send signals. Everything else that the person set stays.
 */
const script = (leave: string) => `trap '' TTOU HUP INT TERM QUIT
exec 3>&1
is=given
while read -r word; do is=$word; test "$is" = over && exit; done
test "$is" = given && exit
printf '${leave}${SANE}'
case "$(stty -a <&3)" in *-isig*) stty icanon echo isig iexten icrnl ixon <&3 ;; esac`;

interface TerminalGuard {
  /** The session takes the terminal, or gives it to another program for a while. */
  holds(isHeld: boolean): void;
  /** An orderly exit. */
  end(): void;
}

/**
 * A process that outlives a `kill -9`, also of the whole job, and gives the terminal back to the shell. It has a session of its
 * own, so that no signal of the terminal or its shell reaches it.
 */
export function guardTerminal({ alternateScreen = false } = {}): TerminalGuard {
  // on the main screen this would move the cursor
  const leave = alternateScreen ? '\\033[?1049l' : '';
  const child = spawn('/bin/sh', ['-c', script(leave)], {
    stdio: ['pipe', 'inherit', 'ignore'],
    env: { PATH: process.env.PATH ?? '' },
    detached: true,
  });
  // without it the session works all the same
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return {
    holds: (isHeld) => void child.stdin.write(isHeld ? 'taken\n' : 'given\n'),
    end: () => void child.stdin.end('over\n'),
  };
}
