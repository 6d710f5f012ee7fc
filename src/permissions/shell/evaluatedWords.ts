import { namesIn } from './sameRow.ts';
import type { ShellPart, ShellWord } from './shellTypes.ts';
import type { Unwrapped } from './unwrapped.ts';

/** Builtins that take names of variables: bash evaluates the subscript of `a[$(rm x)]`, quoted or not. */
const NAMING = namesIn('printf let unset declare typeset local export readonly read mapfile readarray getopts wait');
const DECLARES = namesIn('declare typeset local export readonly');
const TESTS = new Set(['[', 'test']);
const SUBSCRIPT = /\w\[.*[$`]/s;

/** Texts in a command that bash expands although they are quoted. */
export function evaluatedWords({ words }: ShellPart): Pick<Unwrapped, 'scripts' | 'hidden'> {
  const [head, ...rest] = words;
  const name = head?.text ?? '';
  const taken = NAMING.has(name) || TESTS.has(name) ? rest : [];
  const subscripts = taken.filter(({ text }) => SUBSCRIPT.test(text)).map(({ text }) => `: ${text}`);
  const hidden = subscripts.length > 0 || hidesName(name, rest);
  return { scripts: subscripts, ...(hidden ? { hidden: `${name} evaluates a text in it that is quoted` } : {}) };
}

/** Whether a word whose text is only known later may be taken for the name of a variable. */
function hidesName(name: string, words: readonly ShellWord[]): boolean {
  if (TESTS.has(name)) return words.some((_, at) => mayBeOperator(words, at) || isNamed(words, at));
  if (!NAMING.has(name)) return false;
  if (name === 'printf')
    return words[0]?.text.startsWith('-v') === true && words.slice(0, 2).some(({ expands }) => expands);
  // sums: the value of every name is evaluated
  if (name === 'let') return words.some(({ text }) => !/^[\d\s+*/%()-]*$/.test(text.replace(/^[a-z]\w*[-+*/%]?=/, '')));
  if (words.some(({ text }) => /^-[a-zA-Z]*[in]/.test(text)) && DECLARES.has(name)) return true;
  // `export a=$b` names `a`
  return words.some(({ text, expands }) => expands && !/^[A-Za-z_]\w*\+?=/.test(text));
}

/** `-v NAME` of `test`. */
function isNamed(words: readonly ShellWord[], at: number): boolean {
  return /^-[vR]$/.test(words[at - 1]?.text ?? '') && words[at]?.expands === true;
}

const COMPARES = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;
const LOOKS = /^-[a-uw-zA-QS-Z]$/;

/**
 * A word that expands stands where `test` looks for an operator: `[ $x 'a[$(cmd)]' ]` with `-v` in x. It does not when
 * it is one word, and beside an operator that is written out.
 */
function mayBeOperator(words: readonly ShellWord[], at: number): boolean {
  const word = words[at];
  if (!word?.expands) return false;
  const quoted = /^"[^"]*"$/.test(word.raw) || /^\$[#?]$/.test(word.raw);
  const [before = '', after = ''] = [words[at - 1]?.text, words[at + 1]?.text];
  if (quoted) return !(LOOKS.test(before) || COMPARES.test(before) || COMPARES.test(after) || words.length <= 2);
  // split into several words it could be `-v name`, but not beside the operator of a comparison
  return (
    !(COMPARES.test(before) || COMPARES.test(after) || LOOKS.test(before)) ||
    words.some(({ text }) => SUBSCRIPT.test(text))
  );
}
