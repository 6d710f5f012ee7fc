import { spawn } from 'node:child_process';

/** The main screen, cursor shown, paste and key reports off, colors reset. */
const SANE = '\\033[?47l\\033[?25h\\033[?2004l\\033[<u\\033[>4;0m\\033[?2026l\\033[0m';

/**
 * A process that outlives a `kill -9`: when its stdin closes without a word, the session died, and it gives the terminal back to
 * the shell. Returns what ends it at an orderly exit.
 */
export function restoreTerminalAfterDeath({ alternateScreen = false } = {}): () => void {
  // on the main screen this would move the cursor
  const leave = alternateScreen ? '\\033[?1049l' : '';
  // ignored: the shell may have taken the terminal back already
  const script = `trap '' TTOU HUP INT; read -r _ && exit; printf '${leave}${SANE}\\r\\n' >/dev/tty; stty sane </dev/tty`;
  const child = spawn('/bin/sh', ['-c', script], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: process.env.PATH ?? '' },
  });
  // a Ctrl-C that reaches the whole group must not end it; without it the session works all the same
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return () => child.stdin.end('over\n');
}
