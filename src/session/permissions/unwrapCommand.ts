import { EXEC_OPTIONS, RUNNERS, SHELL_VALUED, SHELLS, WRAPPERS, type Wrapper } from './commandWrappers.ts';
import { evaluatedWords } from './evaluatedWords.ts';
import { gitRuns } from './gitCommands.ts';
import type { ShellPart, ShellWord } from './shellTypes.ts';

/** What a command makes other commands of. */
export interface Unwrapped {
  /** Commands that stand in its own words; more than one when its options can be read in two ways. */
  readonly inner: readonly (readonly ShellWord[])[];
  /** Texts that it will read as shell commands. */
  readonly scripts: readonly string[];
  /** A rule for its one inner command covers it too. */
  readonly transparent: boolean;
  /** Why what it runs cannot be told. */
  readonly unclear?: string;
}

const PLAIN: Unwrapped = { inner: [], scripts: [], transparent: false };

/** A word that stands for what is only known when it runs. */
const UNKNOWN_WORD: ShellWord = { text: '…', raw: '…', expands: true, globs: false };

export function unwrapCommand(part: ShellPart): Unwrapped {
  const own = unwrapOwn(part);
  const { scripts, unclear } = evaluatedWords(part);
  return unclear === undefined ? own : { ...own, scripts: [...own.scripts, ...scripts], transparent: false, unclear };
}

function unwrapOwn(part: ShellPart): Unwrapped {
  const name = commandName(part.words[0]?.text ?? '').replace(/^ld-(?:linux|musl).*\.so.*$/, 'ld.so');
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper) return unwrap(part.words.slice(1), wrapper, name);
  if (SHELLS.has(name)) return unwrapShell(part);
  if (Object.hasOwn(EXEC_OPTIONS, name)) return unwrapExec(part.words, EXEC_OPTIONS[name] ?? []);
  if (Object.hasOwn(RUNNERS, name)) return unwrapRunner(part.words, RUNNERS[name] ?? []);
  if (name === 'git') return { ...PLAIN, ...gitRuns(part.words) };
  return Object.hasOwn(BUILTINS, name) ? (BUILTINS[name]?.(part.words.slice(1)) ?? PLAIN) : PLAIN;
}

function unwrapRunner(words: readonly ShellWord[], commands: readonly string[]): Unwrapped {
  const at = words.findIndex(({ text }, index) => index > 0 && index < 6 && commands.includes(text));
  return at < 0 ? PLAIN : unwrap(words.slice(at + 1), { script: ['-c', '--call'] }, 'a runner');
}

/** `/bin/rm` is rm. Lower case, because some file systems do not tell RM from rm. */
export function commandName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1).toLowerCase();
}

const BUILTINS: Readonly<Record<string, (words: readonly ShellWord[]) => Unwrapped>> = {
  eval: (words) => scriptOf(words, 'eval'),
  trap: (words) => scriptOf(words.filter(({ text }) => text !== '--').slice(0, 1), 'trap'),
  mapfile: (words) => calledBack(words, 'C'),
  readarray: (words) => calledBack(words, 'C'),
  compgen: (words) => calledBack(words, 'CF'),
  complete: (words) => calledBack(words, 'CF'),
  source: sourced,
  '.': sourced,
  alias: (words) => (words.length > 0 ? { ...PLAIN, unclear: 'it defines an alias' } : PLAIN),
  hash: (words) => (words.length > 0 ? { ...PLAIN, unclear: 'it changes which file a name stands for' } : PLAIN),
  enable: () => ({ ...PLAIN, unclear: 'it changes which names are builtins' }),
};

function scriptOf(words: readonly ShellWord[], by: string): Unwrapped {
  const script = words.map(({ text }) => text).join(' ');
  const unknown = words.some(({ expands, globs }) => expands || globs);
  return { ...PLAIN, scripts: [script], ...(unknown ? { unclear: `${by} runs text that is only known later` } : {}) };
}

/** `mapfile -C 'rm x'`, also as `-tC'rm x'`. */
function calledBack(words: readonly ShellWord[], letters: string): Unwrapped {
  const option = new RegExp(`^-[A-Za-z]*?[${letters}](.*)$`, 's');
  const scripts = words.flatMap(({ text }, at) => {
    const match = option.exec(text);
    return match ? [match[1] || (words[at + 1]?.text ?? '')] : [];
  });
  return scripts.length === 0 ? PLAIN : { ...PLAIN, scripts, unclear: 'a builtin in it runs text as a command' };
}

function sourced(words: readonly ShellWord[]): Unwrapped {
  const file = words[0];
  const odd = file === undefined || file.expands || file.text.startsWith('/dev/') || file.text.startsWith('/proc/');
  return odd ? { ...PLAIN, unclear: 'it sources something other than a named file' } : PLAIN;
}

function unwrap(words: readonly ShellWord[], wrapper: Wrapper, name: string): Unwrapped {
  const options = skipOptions(words, wrapper);
  const scripts = [...options.scripts, ...laterScripts(words.slice(options.at), wrapper)];
  const start = options.at + (wrapper.skips ?? 0);
  const starts = wrapper.anywhere ? plainStarts(words) : options.sure ? [start] : [start, start + 1];
  const rests = starts.map((at) => words.slice(at)).filter((rest) => rest.length > 0);
  const inner = wrapper.appends ? rests.map((rest) => withUnknown(rest, words)) : rests;
  return {
    inner: options.queries && name === 'command' ? [] : inner,
    scripts: [...scripts, ...(name === 'watch' || name === 'sg' ? inner.map(joined) : [])],
    transparent: wrapper.transparent === true && options.sure,
    ...(scripts.length > 0 && words.some(({ expands }) => expands)
      ? { unclear: `${name} runs text that is only known later` }
      : {}),
  };
}

const MAX_STARTS = 8;

function plainStarts(words: readonly ShellWord[]): number[] {
  return words.slice(0, MAX_STARTS).flatMap(({ text }, at) => (text.startsWith('-') ? [] : [at]));
}

/** `su ann -c 'rm x'`: the option may stand after the wrapper's own words. */
function laterScripts(words: readonly ShellWord[], { script }: Wrapper): string[] {
  return words.flatMap(({ text }, at) => (script?.includes(text) ? [words[at + 1]?.text ?? ''] : []));
}

/** What xargs makes of its command: words are added at the end, or put where its placeholder stands. */
function withUnknown(command: readonly ShellWord[], all: readonly ShellWord[]): ShellWord[] {
  const at = all.findIndex(({ text }) => text.startsWith('-I'));
  const placeholder = at < 0 ? '{}' : all[at]?.text.slice(2) || all[at + 1]?.text || '{}';
  return [
    ...command.map((word) => (word.text.includes(placeholder) ? { ...word, expands: true } : word)),
    UNKNOWN_WORD,
  ];
}

function joined(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ');
}

interface Options {
  readonly at: number;
  /** False when an option is not known, so that the next word may be its value. */
  readonly sure: boolean;
  /** `command -v` runs nothing. */
  readonly queries: boolean;
  readonly scripts: readonly string[];
}

function skipOptions(words: readonly ShellWord[], wrapper: Wrapper): Options {
  const scripts: string[] = [];
  let sure = true;
  let queries = false;
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (wrapper.assigns && /^\w+=/.test(text)) continue;
    if (!text.startsWith('-') && !/^\+/.test(text)) break;
    if (text === '--') {
      at++;
      break;
    }
    const [option, value] = splitOption(text, wrapper);
    if (wrapper.script?.includes(option)) scripts.push(value ?? words[++at]?.text ?? '');
    else if (wrapper.valued?.includes(option)) at += value === undefined ? 1 : 0;
    else if (!isKnownFlag(text, wrapper)) sure = false;
    queries ||= /^-[vV]$/.test(text);
  }
  return { at, sure, queries, scripts };
}

/** `--user=x` and `-ux` have their value with them; `-u x` has not. */
function splitOption(text: string, wrapper: Wrapper): readonly [option: string, value: string | undefined] {
  const equals = text.indexOf('=');
  if (text.startsWith('--')) return equals < 0 ? [text, undefined] : [text.slice(0, equals), text.slice(equals + 1)];
  // `-qc x`: letters that take no value, then one that does
  for (let at = 1; at < text.length; at++) {
    const short = `-${text[at]}`;
    const takesValue = wrapper.valued?.includes(short) || wrapper.script?.includes(short);
    if (takesValue) return [short, text.slice(at + 1) || undefined];
    if (!wrapper.flags?.includes(short)) break;
  }
  return [text, undefined];
}

function isKnownFlag(text: string, wrapper: Wrapper): boolean {
  if (text.startsWith('--') && text.includes('=')) return true;
  if (/^-\d+$/.test(text)) return true;
  if (wrapper.flags?.includes(text)) return true;
  return /^-\w{2,}$/.test(text) && [...text.slice(1)].every((letter) => wrapper.flags?.includes(`-${letter}`));
}

function unwrapShell(part: ShellPart): Unwrapped {
  const words = part.words.slice(1);
  let at = 0;
  let readsArgument = false;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (!/^[-+]./.test(text) || text === '--') break;
    if (/^-[A-Za-z]*c/.test(text)) readsArgument = true;
    if (SHELL_VALUED.has(text) || /^[-+][A-Za-z]*[oO][A-Za-z]*$/.test(text)) at++;
  }
  const operand = words[words[at]?.text === '--' ? at + 1 : at];
  if (words.slice(0, at).some(({ expands }) => expands)) return { ...PLAIN, unclear: 'options of a shell are hidden' };
  if (readsArgument) return scriptOf(operand ? [operand] : [], 'a shell');
  const fromFile = operand !== undefined && operand.text !== '-' && !words.slice(0, at).some(isStdinFlag);
  if (fromFile) return /^\/(?:dev|proc)\//.test(operand.text) || operand.expands ? stdinScript(part) : PLAIN;
  return stdinScript(part);
}

function isStdinFlag({ text }: ShellWord): boolean {
  return /^-[A-Za-z]*s/.test(text);
}

/** A shell without a script reads one from stdin: a heredoc can be read by us too, a pipe cannot. */
function stdinScript(part: ShellPart): Unwrapped {
  const strings = part.redirects.filter(({ operator }) => operator === '<<<').map(({ target }) => target);
  const known = [...strings, ...part.inputs];
  const unclear = known.length === 0 || known.some(({ expands }) => expands);
  return {
    ...PLAIN,
    scripts: known.map(({ text }) => text),
    ...(unclear ? { unclear: 'a shell in it reads commands that are only known later' } : {}),
  };
}

function unwrapExec(words: readonly ShellWord[], options: readonly string[]): Unwrapped {
  const inner: ShellWord[][] = [];
  let current: ShellWord[] | undefined;
  for (const word of words) {
    if (options.includes(word.text)) {
      current = [];
      inner.push(current);
    } else if (current && (word.text === ';' || word.text === '+')) current = undefined;
    else current?.push(word.text.includes('{}') ? { ...word, expands: true } : word);
  }
  return { ...PLAIN, inner: inner.filter((command) => command.length > 0) };
}
