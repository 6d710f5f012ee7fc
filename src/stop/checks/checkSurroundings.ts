import { hash } from 'node:crypto';
import { globSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileState } from '../../git/fileState.ts';
import { folderDigest } from '../../git/folderDigest.ts';
import { attempt } from '../../system/attempt.ts';
import { findProgram } from '../../system/findProgram.ts';
import { realPath } from '../../system/realPath.ts';
import type { Check } from './types.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * Variables that change with the session or the terminal and that no check's result depends on. All others count, because
 * any check might read them.
 */
const VOLATILE: readonly RegExp[] = [
  /^(PWD|OLDPWD|SHLVL|_|COLUMNS|LINES|WINDOWID|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|COLORTERM)$/,
  // set by the agent and by us: session ids, sockets, the end of a budget, a worker's incarnation
  /^(CLAUDE|STOPGATE|AUTORESEARCH_|AI_AGENT$|TRACEPARENT$|TRACESTATE$)/,
  /^(TERM|TERM_.*|.*_SESSION_ID|XDG_SESSION_.*|XDG_VTNR|XDG_SEAT|DBUS_SESSION_BUS_ADDRESS|WT_SESSION)$/,
  /^(SSH_(CLIENT|CONNECTION|TTY|AUTH_SOCK|AGENT_PID)|GPG_AGENT_INFO|GPG_TTY)$/,
  /^(TMUX|TMUX_.*|STY|WINDOW|KITTY_.*|ALACRITTY_.*|WEZTERM_.*|VTE_VERSION|KONSOLE_.*|VSCODE_.*|ITERM_.*)$/,
  /^(INVOCATION_ID|JOURNAL_STREAM|SYSTEMD_EXEC_PID|MEMORY_PRESSURE_.*)$/,
  // `launch` hides its settings from git with these, with another path in each run
  /^GIT_CONFIG_(COUNT|KEY_\d+|VALUE_\d+)$/,
];

/** A digest of the variables that a check sees; values are never kept. */
export function environmentDigest(env: Environment): string {
  const entries = Object.entries(env).filter(([name]) => !VOLATILE.some((pattern) => pattern.test(name)));
  return digestOf(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Larger files, which are programs and not scripts, count by size, times and number. */
const BUDGET = { fileBytes: 1_000_000, bytes: 64_000_000, files: 1_000 };
const INPUT_BUDGET = { fileBytes: 16_000_000, bytes: 256_000_000, files: 10_000 };

/**
 * A digest of the files that the checks' commands name, and of their `inputs`: the digest of the repository has neither
 * scripts outside it nor ignored files. `problem` is why it is incomplete.
 */
export async function surroundingsDigest(checks: readonly Check[], env: Environment, topLevel?: string) {
  const budget = { ...BUDGET };
  const named = [...new Set(checks.flatMap((check) => namedFiles(check, env, topLevel)))].toSorted();
  const states = named.map((file) => [file, stateOf(file, budget)]);
  const inputBudget = { ...INPUT_BUDGET };
  let problem: string | null = null;
  for (const input of new Set(checks.flatMap(({ inputs }) => inputs))) {
    if (!isKind(input, 'isDirectory')) {
      states.push([input, stateOf(input, inputBudget)]);
      continue;
    }
    const { digest, isWhole } = await folderDigest(input);
    if (!isWhole) problem = `The input ${input} has too many files.`;
    states.push([input, digest]);
  }
  return { digest: digestOf(states), problem };
}

/** Variables that make a shell or a runtime load more than the command names. */
const LOADING = ['BASH_ENV', 'ENV', 'LD_PRELOAD', 'MAKEFILES', 'NODE_OPTIONS', 'PERL5OPT', 'PYTHONSTARTUP', 'RUBYOPT'];

/** The files that a command names, relative to its folder or to folders it names, or found through PATH. */
export function namedFiles({ file, args, cwd }: Check, env: Environment, topLevel?: string): readonly string[] {
  const loaded = LOADING.flatMap((name) => env[name] ?? []);
  const words = commandWords([file, ...args, ...loaded], env);
  const folders = words.map((word) => path.resolve(cwd, word)).filter((one) => isKind(one, 'isDirectory'));
  const found = words.flatMap((word) => {
    const places = [cwd, ...folders].flatMap((folder) => filesBy(word, folder, topLevel));
    const program = findProgram(word, cwd, env.PATH);
    return program === null ? places : [...places, program];
  });
  return [...new Set(found)];
}

function filesBy(word: string, folder: string, topLevel: string | undefined): readonly string[] {
  if (isPattern(word)) {
    // the repository counts already, and a pattern could go through all of it
    const isInside = topLevel !== undefined && isWithin(realPath(baseOf(word, folder)), topLevel);
    return isInside ? [] : matchesOf(word, folder).filter((one) => isKind(one, 'isFile'));
  }
  return [path.resolve(folder, word)].filter((one) => isKind(one, 'isFile'));
}

/** So general that a command that names one does not mean all of it. */
const GENERAL = new Set(
  '/ /bin /dev /etc /home /opt /proc /root /sys /tmp /usr /usr/bin /usr/local /usr/local/bin /var /var/tmp'.split(' '),
);

/** The folders outside `topLevel` that a check runs in or names. All of their content counts: the check may read any of it. */
export function outsideFolders({ file, args, cwd }: Check, env: Environment, topLevel: string): readonly string[] {
  const words = commandWords([file, ...args], env);
  const named = words.flatMap((word) => {
    if (!PATTERN.test(word)) return [path.resolve(cwd, word)];
    const base = baseOf(word, cwd);
    if (isWithin(realPath(base), topLevel)) return [];
    // a pattern with `**` can match anything in the folder that it starts in
    return isPattern(word) ? matchesOf(word, cwd) : [base];
  });
  const folders = [cwd, ...named.filter((one) => !GENERAL.has(one) && one !== env.HOME)].map(realPath);
  return [...new Set(folders)].filter((one) => isKind(one, 'isDirectory') && !isWithin(one, topLevel));
}

const isWithin = (folder: string, top: string) => folder === top || folder.startsWith(`${top}${path.sep}`);

const PATTERN = /[*?[{]/;
const MAX_MATCHES = 500;
const isPattern = (word: string) => PATTERN.test(word) && !/\*\*|\s/.test(word) && word.length < 500;

/** The folder that a pattern starts in. */
const baseOf = (word: string, folder: string) =>
  path.resolve(folder, word.slice(0, word.search(PATTERN)).replace(/[^/]*$/, ''));

/** As a shell would match it, with braces. Bounded: a pattern that matches more is not a list of scripts. */
function matchesOf(pattern: string, folder: string): readonly string[] {
  const found = attempt(() => globSync(pattern, { cwd: folder }), []);
  return found.slice(0, MAX_MATCHES).map((one) => path.resolve(folder, one));
}

const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|((?:[^\s"'`;|&()<>=\\]|\\.)+)/g;
/** Files that a command writes do not count: a report that changes with every run would make it run at every stop. */
const OUTPUT_OPTION =
  /--?[\w-]*(?:out|output|report|log|junit|junitxml|cover|result|dump|trace)[\w-]*(?:=|\s+)(?:"[^"]*"|'[^']*'|[^\s;|&()<>]+)/gi;
const OUTPUT_FILE = /\.(?:log|out|xml|html?|lcov|tap|tmp|pid|sock)$/i;
const REDIRECTED = /[\d&]?>{1,2}\|?\s*(?:"[^"]*"|'[^']*'|[^\s;|&()<>]+)/g;
const VARIABLE = /\$(?:\{(\w+)\}|(\w+))/g;

/** Variables that a command line sets itself: `DIR=../tools; sh $DIR/run.sh`. */
const ASSIGNED = /(?:^|[\s;&|(])([A-Za-z_]\w*)=("[^"]*"|'[^']*'|[^\s;&|()]*)/g;

function commandWords(texts: readonly string[], env: Environment): readonly string[] {
  const own = texts.flatMap((text) =>
    [...text.matchAll(ASSIGNED)].map(
      ([, name = '', value = '']) => [name, value.replace(/^(["'])(.*)\1$/s, '$2')] as const,
    ),
  );
  return [...new Set(texts.flatMap((text) => splitWords(text, { ...env, ...Object.fromEntries(own) })))];
}

/** Paths inside a longer word: `-f/tools/mk`, `@list`, `file:///x`, `a:b`, `${DIR:-/tools}`. */
function piecesOf(word: string): readonly string[] {
  const pieces = [word, ...word.split(/[:,@={}$]+/)];
  return [...new Set(pieces.flatMap((piece) => [piece, piece.replace(/^-\w/, ''), piece.replace(/^-+/, '')]))];
}

/** Too many words rather than too few: one that is not a file's name costs only a `stat`. */
function splitWords(line: string, env: Environment): readonly string[] {
  const text = line.replaceAll(REDIRECTED, ' ').replaceAll(OUTPUT_OPTION, ' ');
  const whole = [text, ...[...text.matchAll(WORD)].map(([, double, single, plain]) => double ?? single ?? plain ?? '')];
  // a word in quotes may be a command line itself
  const words = new Set(whole.flatMap((word) => [word, ...(word === text ? [] : word.split(/[\s;|&()<>=]+/))]));
  return [...words]
    .map((word) => word.replaceAll(/\\(.)/g, '$1'))
    .map((word) => word.replaceAll(VARIABLE, (_, braced, bare) => env[braced ?? bare] ?? ''))
    .flatMap(piecesOf)
    .map((word) => word.replace(/^~(?=\/|$)/, env.HOME ?? '~'))
    .filter((word) => word !== '' && word.length < 4096 && !word.includes('\0') && !OUTPUT_FILE.test(word));
}

function stateOf(file: string, budget: { fileBytes: number; bytes: number; files: number }): string {
  try {
    const real = realpathSync(file);
    return `${real} ${fileState(Buffer.from(real), { budget, inHead: undefined }).state}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

const isKind = (file: string, kind: 'isFile' | 'isDirectory'): boolean =>
  attempt(() => statSync(file, { throwIfNoEntry: false })?.[kind]() ?? false, false);

const digestOf = (value: unknown) => hash('sha256', JSON.stringify(value));
