import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Terminal as Emulator } from '@xterm/headless';
import { expect } from 'vitest';
import { attempt } from '../../src/system/attempt.ts';
import { COMPILED_CODE } from './compiledCode.ts';
import { BIN, BRIEF_NODE, isAlive, type TestProject } from './project.ts';
import { quoted } from './terminal.ts';

const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof Emulator };

/** Shorter than a test, so that the screen is in its message. */
const LONGEST_WAIT_MS = 12_000;

interface ScreenOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the shell does around it; `CMD` stands for the session. */
  readonly shell?: string;
}

/** A session on a pseudo-terminal, with an emulator that shows what a person would see. */
export function openScreen(project: TestProject, options: ScreenOptions = {}) {
  const { columns = 100, rows = 30, args = [], shell = 'exec CMD' } = options;
  const command = [process.execPath, ...BRIEF_NODE, BIN, ...args].map(quoted).join(' ');
  const line = `stty cols ${columns} rows ${rows}; ${shell.replace('CMD', command)}`;
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: project.home,
    TERM: 'xterm-256color',
    SHELL: '/bin/sh',
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: project.server.url,
    STOPGATE_ENABLE_PROMPT_SUGGESTION: '0',
    STOPGATE_DISABLE_MEMORY: '1',
    ...COMPILED_CODE,
    ...options.env,
  };
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: project.dir,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const emulator = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  const watchers = new Set<() => void>();
  let raw = '';
  child.stdin.on('error', () => {});
  // answers to the questions that a terminal gets
  emulator.onData((data) => child.stdin.write(data));
  const draw = (text: string) =>
    emulator.write(text, () => {
      for (const watcher of watchers) watcher();
    });
  let held = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    raw += chunk;
    held += chunk;
    const whole = wholeFrames(held);
    held = held.slice(whole.length);
    if (whole !== '') draw(whole);
  });
  child.stdout.on('end', () => draw(held));
  const linesFrom = (start: number) => {
    const { active } = emulator.buffer;
    const all: string[] = [];
    for (let at = start; at < active.length; at++) all.push(active.getLine(at)?.translateToString(true) ?? '');
    return all.join('\n').trimEnd();
  };
  const ended = once(child, 'close').then(([code]) => code as number);
  const wait = (isThere: () => boolean, what: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!isThere()) return;
        watchers.delete(look);
        clearTimeout(late);
        resolve();
      };
      const late = setTimeout(() => reject(new Error(`no ${what} on:\n${linesFrom(0)}`)), LONGEST_WAIT_MS);
      watchers.add(look);
      void ended.then(() => reject(new Error(`it ended without ${what}:\n${linesFrom(0)}`)));
      look();
    });
  return {
    type: (text: string) => child.stdin.write(text),
    /** What is on the screen now. */
    screen: () => linesFrom(emulator.buffer.active.baseY),
    /** With what scrolled away. */
    all: () => linesFrom(0),
    raw: () => raw,
    emulator,
    /** As a person drags the corner of the window. */
    resize: (width: number, height: number) => {
      emulator.resize(width, height);
      const tty =
        execFileSync('ps', ['-o', 'tty=', '--ppid', String(child.pid)])
          .toString()
          .trim()
          .split('\n')[0] ?? '';
      execFileSync('stty', ['-F', `/dev/${tty}`, 'cols', String(width), 'rows', String(height)]);
    },
    /** Resolves when the text is on the screen or above it. */
    sees: (text: string) => wait(() => isIn(linesFrom(0), text), JSON.stringify(text)),
    /** Resolves when the text is no longer on the screen. */
    sheds: (text: string) => wait(() => !linesFrom(emulator.buffer.active.baseY).includes(text), `losing ${text}`),
    ended,
    /** As a person closes the window: what runs inside is on its own. */
    closeTerminal: async () => {
      child.kill('SIGKILL');
      await ended;
    },
    [Symbol.asyncDispose]: async () => {
      // a session that only lost its terminal would still write to its folder while that is removed
      const inside = childrenOf(child.pid ?? 0).flatMap((pid) => [pid, ...childrenOf(pid)]);
      for (const pid of [...inside, child.pid ?? 0]) attempt(() => process.kill(pid, 'SIGKILL'), false);
      await ended;
      await expect.poll(() => inside.filter(isAlive)).toEqual([]);
      emulator.dispose();
    },
  };
}

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

/** What a terminal shows of the text so far: a synchronized frame is shown when it is whole. The emulator alone shows each part of one. */
function wholeFrames(text: string): string {
  const last = text.lastIndexOf(BEGIN);
  if (last > text.lastIndexOf(END)) return text.slice(0, last);
  // the rest of the sequence is in the next piece
  const begun = [...BEGIN].findLastIndex((_, length) => length > 0 && text.endsWith(BEGIN.slice(0, length)));
  return begun === -1 ? text : text.slice(0, -begun);
}

/** A long line is broken at the width. */
const isIn = (screen: string, text: string) => screen.includes(text) || screen.replace(/\s*\n/g, ' ').includes(text);

/** From Linux itself where it says so: `ps` reads all processes of the machine, several times a test. */
const SAYS_CHILDREN = existsSync('/proc/thread-self/children');

function childrenOf(pid: number): number[] {
  if (SAYS_CHILDREN) {
    const tasks = attempt(() => readdirSync(`/proc/${pid}/task`), []);
    const lists = tasks.map((task) => attempt(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'), ''));
    return lists.join(' ').split(' ').map(Number).filter(Boolean);
  }
  const text = attempt(() => execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)]).toString(), '');
  return text.split('\n').map(Number).filter(Boolean);
}

export const KEYS = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  shiftTab: '\u001b[Z',
  up: '\u001b[A',
  altUp: '\u001b[1;3A',
  right: '\u001b[C',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlO: '\u000f',
  ctrlR: '\u0012',
  ctrlT: '\u0014',
  ctrlX: '\u0018',
  ctrlZ: '\u001a',
  paste: (text: string) => `\u001b[200~${text}\u001b[201~`,
} as const;
