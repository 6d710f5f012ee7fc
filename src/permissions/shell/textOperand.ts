import { isPlainSed, programWords } from './inlineCode.ts';
import type { ShellWord } from './shellTypes.ts';

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
