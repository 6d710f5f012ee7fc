import { bashPattern } from './shell/bashPattern.ts';
import { patternOf, type ShellWord } from './shell/shellTypes.ts';
import { commandName } from './shell/unwrapCommand.ts';

/**
 * The content of a `Bash(…)` rule. A `*` stands for anything; at the end, after a blank or as `:*`, it also stands
 * for nothing, so `git *` covers `git`. `\*` is a star.
 */
export interface CommandPattern {
  /** The literal texts between the stars. */
  readonly pieces: readonly string[];
  /** Ends in ` *`: what stands before it is covered on its own. */
  readonly open: boolean;
}

export function commandPattern(content: string): CommandPattern {
  const written = content.endsWith(':*') ? `${content.slice(0, -2)} *` : content;
  const pieces = [''];
  for (let at = 0; at < written.length; at++) {
    const escaped = written[at] === '\\' && /[*\\]/.test(written[at + 1] ?? '');
    if (written[at] === '*') pieces.push('');
    else pieces.push((pieces.pop() ?? '') + (escaped ? written[++at] : written[at]));
  }
  return { pieces, open: pieces.length > 1 && pieces.at(-1) === '' && pieces.at(-2)?.endsWith(' ') === true };
}

/** The content of a rule that covers this text alone. */
export const literalCommand = (text: string): string => text.replace(/[\\*]/g, '\\$&');

/** Whether a text is covered. Takes the leftmost place for each piece, so time grows with the text alone. */
export function patternCovers(pattern: CommandPattern, text: string): boolean {
  if (covers(pattern.pieces, text)) return true;
  if (!pattern.open) return false;
  const closed = pattern.pieces.slice(0, -1);
  return covers([...closed.slice(0, -1), closed.at(-1)?.trimEnd() ?? ''], text);
}

function covers(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (pieces.length === 1) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= end;
}

/** Whether words that are only known later could make this the command that the pattern is about. */
export function patternMayCover(pattern: CommandPattern, words: readonly ShellWord[]): boolean {
  const literal = (pattern.pieces[0] ?? '').trim().split(/\s+/);
  for (const [index, expected] of literal.entries()) {
    const word = words[index];
    if (!word) return false;
    const known = !word.expands || (index === 0 && hasKnownName(word));
    if (!known || couldBecome(word, expected) || (index === 0 && nameCouldBecome(word, expected))) return true;
    const same = index === 0 ? commandName(word.text) === commandName(expected) : word.text === expected;
    if (!same) return false;
  }
  return false;
}

/** `$VENV/bin/python` is a python wherever it is; `$(echo /bin/rm)` could be anything. */
function hasKnownName({ text }: ShellWord): boolean {
  return text.includes('/') && /^[\w.+-]+$/.test(commandName(text));
}

function couldBecome(word: ShellWord, expected: string): boolean {
  if (!word.globs) return false;
  const pattern = patternOf(word);
  return word.raw.includes('{') || pattern.length > 200 || bashPattern(pattern, { wide: true })(expected);
}

/** `/bin/r?` may be rm as well. */
function nameCouldBecome(word: ShellWord, expected: string): boolean {
  return couldBecome({ ...word, pattern: commandName(patternOf(word)) }, commandName(expected));
}

/** For text that could not be taken apart: does the command that the pattern is about occur anywhere in it? */
export function patternIsMentioned(pattern: CommandPattern, text: string): boolean {
  const head = (pattern.pieces.find((piece) => piece.trim() !== '') ?? '').trim().split(/\s+/)[0] ?? '';
  const name = commandName(head);
  if (name === '') return true;
  return wordIn(name, text) || wordIn(name, withoutDisguise(text));
}

/** For a program in another language: do all words that the pattern begins with occur in it? */
export function patternWordsOccur(pattern: CommandPattern, text: string): boolean {
  const words = (pattern.pieces.find((piece) => piece.trim() !== '') ?? '')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length > 0 && words.every((word) => wordIn(commandName(word), text));
}

function wordIn(name: string, text: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![A-Za-z0-9_])${escaped}(?![A-Za-z0-9_])`, 'i').test(text);
}

/** Takes away what bash takes away: `r''m`, `r\m` and `r${x}m` all come out as rm. */
function withoutDisguise(text: string): string {
  return text.replace(/\\\n/g, '').replace(/\$\{[^{}]*\}|\$[@*#?!0-9-]|\$?["']|\\/g, '');
}
