import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../../system/findProgram.ts';
import { fileState } from '../../system/git/fileState.ts';
import { folderDigest } from '../../system/git/folderDigest.ts';
import type { Check } from './types.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * Variables that change from session to session or from terminal to terminal and that no check's result hangs on. All
 * others count, because which of them a check reads cannot be known.
 */
const VOLATILE: readonly RegExp[] = [
  /^(PWD|OLDPWD|SHLVL|_|COLUMNS|LINES|WINDOWID|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|COLORTERM)$/,
  // the agent's and our own: session ids, sockets, the end of a budget, a worker's incarnation
  /^(CLAUDE|STOPGATE|AUTORESEARCH_|AI_AGENT$|TRACEPARENT$|TRACESTATE$)/,
  /^(TERM|TERM_.*|.*_SESSION_ID|XDG_SESSION_.*|XDG_VTNR|XDG_SEAT|DBUS_SESSION_BUS_ADDRESS|WT_SESSION)$/,
  /^(SSH_(CLIENT|CONNECTION|TTY|AUTH_SOCK|AGENT_PID)|GPG_AGENT_INFO|GPG_TTY)$/,
  /^(TMUX|TMUX_.*|STY|WINDOW|KITTY_.*|ALACRITTY_.*|WEZTERM_.*|VTE_VERSION|KONSOLE_.*|VSCODE_.*|ITERM_.*)$/,
  /^(INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID|MEMORY_PRESSURE_.*)$/,
  // `launch` hides its settings from git with these, by a path of its own for each run
  /^GIT_CONFIG_(COUNT|KEY_\d+|VALUE_\d+)$/,
];

/** A digest of the variables that a check sees; values are never kept. */
export function environmentDigest(env: Environment): string {
  const entries = Object.entries(env).filter(([name]) => !VOLATILE.some((pattern) => pattern.test(name)));
  return digestOf(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Larger files count by size, times and number: what is larger is a program, not a script. */
const BUDGET = { fileBytes: 1_000_000, bytes: 64_000_000, files: 1_000 };
const INPUT_BUDGET = { fileBytes: 16_000_000, bytes: 256_000_000, files: 10_000 };

export type SurroundingsDigest =
  | { readonly type: 'digest'; readonly digest: string }
  | { readonly type: 'failed'; readonly reason: string };

/**
 * A digest of the files that the checks' commands name, wherever they are, and of their `inputs`. What lies in the
 * repository and is not ignored counts already; scripts outside it and ignored files do not.
 */
export async function surroundingsDigest(checks: readonly Check[], env: Environment): Promise<SurroundingsDigest> {
  const budget = { ...BUDGET };
  const named = [...new Set(checks.flatMap((check) => namedFiles(check, env)))].toSorted();
  const states = named.map((file) => [file, stateOf(file, budget)]);
  const inputBudget = { ...INPUT_BUDGET };
  for (const input of new Set(checks.flatMap(({ inputs }) => inputs))) {
    if (!isKind(input, 'isDirectory')) {
      states.push([input, stateOf(input, inputBudget)]);
      continue;
    }
    const { digest, isWhole } = await folderDigest(input);
    if (!isWhole) return { type: 'failed', reason: `The input ${input} has too many files.` };
    states.push([input, digest]);
  }
  return { type: 'digest', digest: digestOf(states) };
}

/** The files that the words of a command name, from its folder, from the folders it names, or by way of PATH. */
export function namedFiles({ file, args, cwd }: Check, env: Environment): readonly string[] {
  const words = [file, ...args].flatMap((text) => wordsOf(text, env));
  const folders = words.map((word) => path.resolve(cwd, word)).filter((one) => isKind(one, 'isDirectory'));
  const found = words.flatMap((word) => {
    const places = [cwd, ...folders].map((folder) => path.resolve(folder, word)).filter((one) => isKind(one, 'isFile'));
    const program = findProgram(word, { cwd, searchPath: env.PATH });
    return program === null ? places : [...places, program];
  });
  return [...new Set(found)];
}

const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'`;|&()<>=\\]|\\.)+)/g;
/** What a command writes is no part of what it is: a report that changes with every run would make it run at every stop. */
const OUTPUT_OPTION =
  /--?[\w-]*(?:out|output|report|log|junit|junitxml|cover|result|dump|trace)[\w-]*(?:=|\s+)(?:"[^"]*"|'[^']*'|[^\s;|&()<>]+)/gi;
const OUTPUT_FILE = /\.(?:log|out|xml|html?|lcov|tap|tmp|pid|sock)$/i;
const REDIRECTED = /[\d&]?>{1,2}\|?\s*(?:"[^"]*"|'[^']*'|[^\s;|&()<>]+)/g;
const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

/** More words rather than fewer: one that is no file's name costs a look. */
function wordsOf(line: string, env: Environment): readonly string[] {
  const text = line.replaceAll(REDIRECTED, ' ').replaceAll(OUTPUT_OPTION, ' ');
  const whole = [text, ...[...text.matchAll(WORD)].map(([, double, single, plain]) => double ?? single ?? plain ?? '')];
  // a word in quotes may be a command line itself
  const words = new Set(whole.flatMap((word) => [word, ...(word === text ? [] : word.split(/[\s;|&()<>=]+/))]));
  return [...words]
    .map((word) => word.replaceAll(/\\(.)/g, '$1').replace(/^~(?=\/|$)/, env.HOME ?? '~'))
    .map((word) => word.replaceAll(VARIABLE, (_, braced, bare) => env[braced ?? bare] ?? ''))
    .filter((word) => word !== '' && word.length < 4096 && !word.includes('\0') && !OUTPUT_FILE.test(word));
}

function stateOf(file: string, budget: { fileBytes: number; bytes: number; files: number }): string {
  try {
    const real = realpathSync(file);
    return `${real} ${fileState(Buffer.from(real), { budget, inHead: undefined })}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

function isKind(file: string, kind: 'isFile' | 'isDirectory'): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.[kind]() ?? false;
  } catch {
    return false;
  }
}

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
