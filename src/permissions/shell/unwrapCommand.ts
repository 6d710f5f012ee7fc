import { ownValue } from '../../system/ownValue.ts';
import {
  ANY_PLACE,
  EXEC_OPTIONS,
  REMOTE,
  REMOTE_RUNNERS,
  RUNNERS,
  SHELLS,
  WRAPPERS,
  type Wrapper,
} from './commandWrappers.ts';
import { evaluatedWords } from './evaluatedWords.ts';
import { gitRuns } from './gitCommands.ts';
import { inlineCode } from './inlineCode.ts';
import { mentionedTexts } from './mentionedTexts.ts';
import { scriptsInOptions } from './programRuns.ts';
import { variableRuns } from './runVariables.ts';
import { plainWord, type ShellPart, type ShellWord } from './shellTypes.ts';
import { hidden, hides, PLAIN, scriptOf, stdinScript, type Unwrapped, unwrapShell } from './unwrapped.ts';

/** A word that stands for what is only known when it runs. */
export const UNKNOWN_WORD: ShellWord = { text: '…', raw: '…', expands: true, globs: false };

export function unwrapCommand(part: ShellPart): Unwrapped {
  const name = programName(part);
  const own = unwrapOwn(part, name);
  const [evaluated, variables] = [evaluatedWords(part), variableRuns(part)];
  const options = scriptsInOptions(name, part.words.slice(1));
  const inline = inlineCode(name, part);
  const scripts = [...own.scripts, ...options, ...evaluated.scripts];
  const hidden = own.hidden ?? evaluated.hidden ?? variables.hidden ?? inline.hidden ?? listOfOptions(part.words);
  return {
    ...own,
    scripts,
    variableScripts: variables.scripts,
    transparent: own.transparent && scripts.length + variables.scripts.length === 0,
    beyond: own.beyond === true || options.length + variables.scripts.length > 0,
    code: [...inline.code, ...mentionedTexts(name, part)],
    ...(hidden === undefined ? {} : { unclear: own.unclear ?? hidden, hidden }),
  };
}

/** `find . {-exec,rm,x,\;}`: bash makes words of the list before the program sees any. */
function listOfOptions([, ...words]: readonly ShellWord[]): string | undefined {
  const list = words.find(({ raw, globs }) => globs && /^-\{|^\{(?:.*,)?["'\\]*(?:-|\{|\$)/s.test(raw));
  return list && `the list ${list.raw} may be options`;
}

function programName({ words: [head] }: ShellPart): string {
  return commandName(head?.text ?? '').replace(/^ld-(?:linux|musl).*\.so.*$/, 'ld.so');
}

function unwrapOwn(part: ShellPart, name: string): Unwrapped {
  const wrapper = WRAPPERS.get(name);
  if (wrapper) return unwrap(part.words.slice(1), wrapper, name);
  if (SHELLS.has(name)) return unwrapShell(part);
  const [options, commands, remote] = [EXEC_OPTIONS, RUNNERS, REMOTE_RUNNERS].map((table) => table.get(name));
  if (options) return unwrapExec(part.words, options);
  if (commands) return unwrapRunner(part.words, commands, NAMES_FIRST.has(name) ? ANY_PLACE : PLAIN_RUNNER);
  if (remote) return unwrapRunner(part.words, remote, REMOTE);
  if (QUEUES.has(name) && !part.words.some(({ text }) => QUEUE_QUERY.test(text))) return stdinScript(part);
  if (name === 'git' || name.startsWith('git-')) return gitRuns(gitWords(part.words, name));
  return ownValue(BUILTINS, name)?.(part.words.slice(1)) ?? PLAIN;
}

/** `git-push x` is `git push x`. */
function gitWords(words: readonly ShellWord[], name: string): readonly ShellWord[] {
  if (name === 'git') return words;
  return [plainWord('git'), plainWord(name.slice('git-'.length)), ...words.slice(1)];
}

/** Programs that keep what they read for a shell to run later; with these words they do not read. */
const QUEUES = new Set(['at', 'batch', 'crontab']);
const QUEUE_QUERY = /^-[lrdcfV]/;

/** Tools that name an environment before the command: `conda run -n x rm`, `direnv exec . rm`. */
const NAMES_FIRST = new Set(['asdf', 'conda', 'direnv', 'fnm', 'ip', 'mamba', 'mise', 'nix', 'nvm', 'rtx', 'volta']);

const PLAIN_RUNNER: Wrapper = { script: ['-c', '--call'] };

function unwrapRunner(words: readonly ShellWord[], commands: readonly string[], wrapper: Wrapper): Unwrapped {
  const at = words.findIndex(({ text }, index) => index > 0 && index < 6 && commands.includes(text));
  return at < 0 ? PLAIN : unwrap(words.slice(at + 1), wrapper, 'a runner');
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
  compgen: (words) => calledBack(words, 'CFW'),
  complete: (words) => calledBack(words, 'CFW'),
  source: sourced,
  '.': sourced,
  alias: (words) => (words.length > 0 ? hides('it defines an alias') : PLAIN),
  hash: (words) => (words.length > 0 ? hides('it changes which file a name stands for') : PLAIN),
  enable: () => hides('it changes which names are builtins'),
};

/** `mapfile -C 'rm x'`, also as `-tC'rm x'`. */
function calledBack(words: readonly ShellWord[], letters: string): Unwrapped {
  // `compgen $x-W '$(cmd)'`
  if (words.some(({ expands, globs }) => expands || globs)) return hides('a builtin in it may run text as a command');
  const option = new RegExp(`^-[A-Za-z]*?[${letters}](.*)$`, 's');
  const scripts = words.flatMap(({ text }, at) => {
    const match = option.exec(text);
    return match ? [match[1] || (words[at + 1]?.text ?? '')] : [];
  });
  if (scripts.length === 0) return PLAIN;
  // the words of `-W` are expanded, not run
  const run = scripts.flatMap((script) => [script, `: ${script}`]);
  return { ...PLAIN, scripts: run, unclear: 'a builtin in it runs text as a command' };
}

function sourced(words: readonly ShellWord[]): Unwrapped {
  const file = words[0];
  const odd = file === undefined || file.expands || file.globs || /^\/(?:dev|proc)\//.test(file.text);
  return odd ? hides('it sources something other than a named file') : PLAIN;
}

function unwrap(words: readonly ShellWord[], wrapper: Wrapper, name: string): Unwrapped {
  const options = skipOptions(words, wrapper);
  const scripts = [...options.scripts, ...laterScripts(words.slice(options.at), wrapper)];
  const start = options.at + (wrapper.skips ?? 0);
  const starts = wrapper.anywhere ? plainStarts(words, wrapper) : options.sure ? [start] : [start, start + 1];
  const rests = starts.map((at) => words.slice(at)).filter((rest) => rest.length > 0);
  const own = wrapper.appends ? rests.map((rest) => withUnknown(rest, words)) : rests;
  const split = name === 'env' ? splitByEnv(scripts, words.slice(start)) : { inner: [] };
  const inner = [...own, ...split.inner];
  if (wrapper.elsewhere) return { ...PLAIN, elsewhere: { inner, scripts: [...scripts, ...textsIn(words, wrapper)] } };
  return {
    ...split,
    inner: options.queries && name === 'command' ? [] : inner,
    scripts: [...scripts, ...(name === 'watch' || name === 'sg' ? inner.map(joined) : []), ...textsIn(words, wrapper)],
    transparent: wrapper.transparent === true && options.sure,
    ...((scripts.length > 0 || wrapper.appends) && words.slice(0, options.at).some(({ expands }) => expands)
      ? hidden(`an option of ${name} is only known later`)
      : {}),
    ...(scripts.length > 0 && words.some(({ expands }) => expands)
      ? hidden(`${name} runs text that is only known later`)
      : {}),
  };
}

const MAX_STARTS = 8;

function plainStarts(words: readonly ShellWord[], { elsewhere = false, texts = false }: Wrapper): number[] {
  const isOther = ({ text, expands, globs }: ShellWord) =>
    text.startsWith('-') || ((elsewhere || texts) && (expands || globs || /\s/.test(text)));
  return words.slice(0, MAX_STARTS).flatMap((word, at) => (isOther(word) ? [] : [at]));
}

function textsIn(words: readonly ShellWord[], { texts = false }: Wrapper): string[] {
  return texts ? words.flatMap(({ text }) => (/\S\s+\S/.test(text) ? [text] : [])).slice(0, MAX_STARTS) : [];
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

function skipOptions(words: readonly ShellWord[], wrapper: Wrapper) {
  const scripts: string[] = [];
  /** False when an option is not known, so that the next word may be its value. */
  let sure = true;
  /** `command -v` runs nothing. */
  let queries = false;
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (wrapper.assigns && isAssignment(text)) continue;
    if (!text.startsWith('-') && !/^\+/.test(text)) break;
    if (text === '--') {
      at++;
      while (wrapper.assigns && isAssignment(words[at]?.text ?? '')) at++;
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

/** env takes any text before the sign for a name: `env ']]=x' rm y` runs rm. */
const isAssignment = (text: string) => /^(?!-)[^=]*=/s.test(text);

/** env splits the text of `-S` by rules of its own; only words that no such rule touches are known. */
function splitByEnv(
  texts: readonly string[],
  rest: readonly ShellWord[],
): Pick<Unwrapped, 'inner' | 'unclear' | 'hidden'> {
  const inner = texts.map((text) => [plainWord('env'), ...text.split(' ').filter(Boolean).map(plainWord), ...rest]);
  const isPlain = texts.every((text) => /^[\w./:@%+,= -]*$/.test(text));
  return { inner, ...(isPlain ? {} : hidden('env splits text by rules of its own')) };
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
  return { ...PLAIN, inner: inner.filter((command) => command.length > 0), beyond: true };
}
