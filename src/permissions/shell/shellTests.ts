import { giveUp, markHidden, type ShellCursor, type ShellWord } from './shellTypes.ts';
import { readWord } from './shellWords.ts';

const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;
const NUMBER = /^["']?-?\d+["']?$/;
const VARIABLE = /^"?\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|[#?])"?$/;

/**
 * Reads what follows `[[`. In there the signs `<`, `>`, `&&` and parentheses compare; they neither redirect nor
 * separate. Numbers are compared as sums, so that bash evaluates what variables hold.
 */
export function readTest(cursor: ShellCursor): ShellWord[] {
  const words: ShellWord[] = [{ text: '[[', raw: '[[', expands: false, globs: false }];
  while (words.at(-1)?.raw !== ']]') {
    skipSigns(cursor);
    if (cursor.at >= cursor.text.length) {
      giveUp(cursor, 'a [[ is not closed');
      return words;
    }
    words.push(readWord(cursor));
  }
  for (const [at, { text, expands }] of words.entries()) {
    // `-v a[$(cmd)]` evaluates the subscript; an operator that expands may be any
    if (text === '-v' || text === '-R') markHidden(cursor, `it asks for a variable by name, ${text}`);
    if (COMPARES_NUMBERS.test(text) || (expands && text.startsWith('-')))
      evaluate(cursor, words[at - 1], words[at + 1]);
  }
  return words;
}

function skipSigns(cursor: ShellCursor): void {
  while (/[\s;&|()<>]/.test(cursor.text[cursor.at] ?? '')) {
    if (/^[<>]\(/.test(cursor.text.slice(cursor.at, cursor.at + 2))) return;
    cursor.at++;
  }
}

function evaluate(cursor: ShellCursor, ...operands: readonly (ShellWord | undefined)[]): void {
  for (const raw of operands.map((operand) => operand?.raw ?? '')) {
    const variable = VARIABLE.exec(raw);
    const name = variable?.[1] ?? variable?.[2];
    if (name !== undefined) cursor.evaluated.add(name);
    else if (!variable && !NUMBER.test(raw)) markHidden(cursor, 'it compares text as numbers inside [[ ]]');
  }
}
