import type { FoundCommand } from './findCommands.ts';
import { namesIn } from './sameRow.ts';
import { patternOf, type ShellWord } from './shellTypes.ts';

/** What the line itself says of its variables; undefined for one that also gets a value which is only known later. */
export type KnownVariables = ReadonlyMap<string, readonly string[] | undefined>;

/** Builtins that give variables values which the line does not show. */
const SETTERS = namesIn('read mapfile readarray getopts source . eval');
const MAX_VALUES = 20;

/** A path whose reader knows where it starts. */
const FROM_HOME = /^\$(?:HOME\b|\{HOME\})[^$`]*$/;

/** `d=.claude; touch $d/x`, `for f in a b; do rm $f; done`. */
export function knownVariables(commands: readonly FoundCommand[]): KnownVariables {
  const values = new Map<string, readonly string[] | undefined>();
  for (const { part } of commands) {
    for (const { name, value } of part.assignments) {
      const before = values.has(name) ? values.get(name) : [];
      const isWritten = !value.expands || FROM_HOME.test(value.text);
      const known = isWritten && before !== undefined && before.length < MAX_VALUES;
      values.set(name, known ? [...before, value.globs ? patternOf(value) : value.text] : undefined);
    }
    const [head, ...words] = part.words;
    if (SETTERS.has(head?.text ?? '')) for (const { text } of words) values.set(text, undefined);
  }
  return values;
}

const VARIABLE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g;

/** A word with the values of its variables put in: each way that it may come out, or itself. */
export function wordsWithValues(word: ShellWord, known: KnownVariables): readonly ShellWord[] {
  if (!word.expands || known.size === 0) return [word];
  let texts = [word.globs ? patternOf(word) : word.text];
  for (const [whole, plain, braced] of word.text.matchAll(VARIABLE)) {
    const values = known.get(plain ?? braced ?? '');
    if (values === undefined || values.length * texts.length > MAX_VALUES) return [word];
    texts = texts.flatMap((text) => values.map((value) => text.replace(whole, () => value)));
  }
  return texts.map((text) => withText(word, text));
}

function withText({ raw, globs, wide, pattern }: ShellWord, text: string): ShellWord {
  const expands = /[$`]|[<>]\(/.test(text);
  const plain = pattern === undefined ? text : text.replaceAll(/\\(.)/gs, '$1');
  return { raw, text: plain, pattern: text, expands, globs: globs || /[*?[{]/.test(text), ...(wide && { wide }) };
}

/** A word as it comes out when the variables that the line does not set are empty: `.en${x}v`, `.e*$x`. */
function withoutUnset(word: ShellWord): readonly ShellWord[] {
  if (!word.expands) return [word];
  const source = word.globs ? patternOf(word) : word.text;
  const emptied = source.replaceAll(/\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[0-9@*])/g, '');
  const isOther = emptied !== source && /[^/.]/.test(emptied) && !/[$`]/.test(emptied);
  return isOther ? [word, withText(word, emptied)] : [word];
}

/** The same command with the values of variables put in. */
export function withValues(command: FoundCommand, known: KnownVariables): FoundCommand {
  const { words, redirects } = command.part;
  if (![...words, ...redirects.map(({ target }) => target)].some(({ expands }) => expands)) return command;
  const valued = (word: ShellWord) => wordsWithValues(word, known).flatMap(withoutUnset);
  return {
    ...command,
    part: {
      ...command.part,
      words: words.flatMap(valued),
      redirects: redirects.flatMap((one) => valued(one.target).map((target) => ({ ...one, target }))),
    },
  };
}

/** Whether a word that expands may come out as anything: by a command in it, or a variable that the line sets. */
export function isOpen({ text, expands }: ShellWord, known: KnownVariables): boolean {
  if (!expands) return false;
  // `${f#x}` and `${a[0]}` come out as something that is written nowhere
  if (/\$\(|`|[<>]\(|\$\{\w+[^\w}]/.test(text)) return true;
  return [...text.matchAll(VARIABLE)].some(([, plain, braced]) => known.has(plain ?? braced ?? ''));
}
