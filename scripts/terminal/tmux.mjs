import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { cleaned } from './clean.mjs';

const run = promisify(execFile);

export const COLUMNS = 100;
export const ROWS = 30;

/** Long enough for a program of 200 MB on a busy machine; a screen that never appears is an error with the screen in it. */
const LONGEST_WAIT_MS = 20_000;
const LOOK_EVERY_MS = 25;

/** Null when it is not installed. */
export function tmuxVersion() {
  try {
    return execFileSync('tmux', ['-V'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/** A program in a tmux server of its own, with only the environment that is given. */
export async function openInTmux({ folder, cwd, command, env }) {
  const base = ['-u', '-f', '/dev/null', '-S', path.join(folder, 'tmux')];
  // the server would pass its own environment on
  const outside = { PATH: process.env.PATH, HOME: env.HOME, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const tmux = async (...args) => (await run('tmux', [...base, ...args], { env: outside, cwd })).stdout;
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const size = ['-x', String(COLUMNS), '-y', String(ROWS)];
  await tmux('new-session', '-d', ...size, '-c', cwd, 'env', '-i', ...assigned, ...command);
  const pid = Number(await tmux('display-message', '-p', '#{pane_pid}'));

  const capture = async (...options) => {
    const text = await tmux('capture-pane', '-p', ...options);
    return text.split('\n').map((line) => line.trimEnd());
  };
  const screen = () => capture();
  /** A program draws in several writes: only a screen that was the same twice is whole. */
  const until = async (isThere, what) => {
    const lastLook = performance.now() + LONGEST_WAIT_MS;
    let before;
    while (true) {
      // the server ends with the program
      const lines = await screen().catch(() => Promise.reject(new Error(`${command.join(' ')} ended; ${what}.`)));
      const shown = cleaned(lines, folder);
      if (isThere(lines.join('\n')) && shown === before) return lines;
      if (performance.now() > lastLook) throw new Error(`${what}:\n${lines.join('\n').trimEnd()}`);
      before = shown;
      await delay(LOOK_EVERY_MS);
    }
  };
  return {
    screen,
    /** With what scrolled away. */
    all: () => capture('-S', '-'),
    /** Returns the screen that has the text; a pattern may look at several lines. */
    sees: (text) => until((shown) => found(shown, text), `${text} did not appear on this screen`),
    sheds: (text) => until((shown) => !found(shown, text), `${text} did not disappear from this screen`),
    type: (text) => tmux('send-keys', '-l', '--', text),
    press: (...keys) => tmux('send-keys', ...keys),
    close: async () => {
      await tmux('kill-server').catch(() => {});
      const lastLook = performance.now() + LONGEST_WAIT_MS;
      while (isAlive(pid)) {
        if (performance.now() > lastLook) process.kill(pid, 'SIGKILL');
        await delay(LOOK_EVERY_MS);
      }
    },
  };
}

const found = (shown, text) => (typeof text === 'string' ? shown.includes(text) : text.test(shown));

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
