import { isPlainSed, programWords } from './inlineCode.ts';
import { patternOf, type ShellWord } from './shellTypes.ts';

/** Programs whose options are whole words after one dash: `find -name x`. */
const LONG_OPTIONS = new Set(['find', 'gfind', 'java', 'go', 'openssl', 'ffmpeg', 'convert', 'terraform']);

/** What in a word of a command may be the name of a file: all of it, or what follows an option or a sign. */
export function fileTexts(word: ShellWord, command: string): readonly string[] {
  const text = word.globs ? patternOf(word) : word.text;
  // a pattern of names to pass over
  if (/^[ef]?grep$/.test(command) && /^--(?:ex|in)clude/.test(text)) return [];
  if (command === 'rg' && text.startsWith('!')) return [];
  const texts = text.startsWith('-') ? inOption(text, command) : [text, ...afterSigns(text, command)];
  // `-d @file`, `-F 'a=<file'`
  return texts.flatMap((one) => (/^[@<]./.test(one) ? [one, one.slice(1)] : [one]));
}

function inOption(text: string, command: string): string[] {
  const equals = text.indexOf('=');
  const valued = equals < 0 ? [] : [text.slice(equals + 1)];
  if (text.startsWith('--')) return equals < 0 ? fromPath(text) : valued;
  // `git log -L1,5:file`
  if (command === 'git' && text.includes(':')) valued.push(text.slice(text.lastIndexOf(':') + 1));
  if (LONG_OPTIONS.has(command)) return [...valued, ...fromPath(text)];
  // any of the letters may be the last one before a value: `-ofile`, `-vofile`
  const letters = /^-[A-Za-z0-9]*/.exec(text)?.[0].length ?? 1;
  const starts = Array.from({ length: Math.max(0, Math.min(letters, 40) - 1) }, (_, at) => at + 2);
  return [...valued, ...starts.map((at) => text.slice(at)).filter((value) => value !== '')];
}

/** `-I/usr/include` of a program that writes it so. */
function fromPath(text: string): string[] {
  const at = text.search(/[/~]/);
  return at < 0 ? [] : [text.slice(at)];
}

function afterSigns(text: string, command: string): string[] {
  const equals = text.indexOf('=');
  // `-F file=@/etc/passwd`, `-d @/etc/passwd`
  const sent = text.lastIndexOf('@');
  // `HEAD:.env` is a file of a commit, `FILE:.env,append` one of socat's
  const colon = command === 'git' || command === 'socat' ? text.indexOf(':') : -1;
  return [
    ...(equals > 0 ? [text.slice(equals + 1)] : []),
    ...(sent >= 0 ? [text.slice(sent + 1)] : []),
    ...(colon >= 0 ? [text.slice(colon + 1), text.slice(colon + 1).split(',')[0] ?? ''] : []),
  ];
}

const SEARCHES = new Set(['grep', 'egrep', 'fgrep', 'rg']);

/** The operand of a command that surely is a text and no file: what grep looks for, a script of sed that opens nothing. */
export function textOperand(name: string, words: readonly ShellWord[]): ShellWord | undefined {
  if (SEARCHES.has(name)) return searchedText(words);
  return name === 'sed' ? plainScript(words) : undefined;
}

function searchedText(words: readonly ShellWord[]): ShellWord | undefined {
  const options = words.filter(({ text }) => text.startsWith('-'));
  // the text then stands in an option or a file
  const elsewhere = options.some(({ text, expands }) => expands || /^-[^-]*[ef]|^--(?:r|f|$)/.test(text));
  const first = words.find(({ text }) => !text.startsWith('-'));
  return elsewhere || first === undefined || first.globs || first.expands ? undefined : first;
}

function plainScript(words: readonly ShellWord[]): ShellWord | undefined {
  const isOther = words.some(
    ({ text, expands, globs }) => expands || globs || /^-[a-zA-Z]*f|^--fi?l?e?(?:=|$)/.test(text),
  );
  if (isOther) return undefined;
  const [script, ...more] = programWords(words.map(({ text }) => text));
  if (script === undefined || more.length > 0 || !isPlainSed(script)) return undefined;
  return words.find(({ text }) => text === script);
}
