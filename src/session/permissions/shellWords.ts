import { decodeAnsiQuoted } from './ansiQuoting.ts';
import { readBackticks, readDollar } from './shellExpansions.ts';
import { giveUp, markUnclear, nested, type ShellCursor, type ShellWord } from './shellTypes.ts';

type Growing = { -readonly [Key in keyof ShellWord]: ShellWord[Key] } & { brace: boolean };

const ENDS_WORD = new Set([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);

/** Reads one word: quotes, escapes and expansions included. The cursor stands at its first character. */
export function readWord(cursor: ShellCursor): ShellWord {
  const start = cursor.at;
  const word: Growing = { text: '', raw: '', expands: false, globs: false, brace: false };
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] ?? '';
    if (isProcessSubstitution(cursor)) readProcessSubstitution(cursor, word);
    else if (ENDS_WORD.has(char)) break;
    else (PIECES[char] ?? readPlain)(cursor, word);
  }
  const { text, expands, globs } = word;
  return { text, raw: cursor.text.slice(start, cursor.at), expands, globs };
}

type ReadPiece = (cursor: ShellCursor, word: Growing) => void;

const PIECES: Readonly<Record<string, ReadPiece>> = {
  '\\': readEscape,
  "'": readSingleQuoted,
  '"': readDoubleQuoted,
  $: readDollarPiece,
  '`': (cursor, word) => expand(cursor, word, () => readBackticks(cursor, false)),
};

function readPlain(cursor: ShellCursor, word: Growing): void {
  const char = cursor.text[cursor.at] ?? '';
  // Bash takes a carriage return for a letter, people take it for a line end: nobody sees what will run.
  if (char < ' ' || char === '\u007f') markUnclear(cursor, 'it holds a control character');
  if (char === '{') word.brace = true;
  const inBrace = word.brace && (char === ',' || cursor.text.startsWith('..', cursor.at));
  if (inBrace || char === '*' || char === '?' || char === '[') word.globs = true;
  word.text += char;
  cursor.at++;
}

function readEscape(cursor: ShellCursor, word: Growing): void {
  const next = cursor.text[cursor.at + 1] ?? '';
  // A backslash before a line end is no character at all.
  if (next !== '\n') word.text += next;
  cursor.at += 2;
}

function readSingleQuoted(cursor: ShellCursor, word: Growing): void {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end < 0) {
    giveUp(cursor, 'a quote is not closed');
    return;
  }
  word.text += cursor.text.slice(cursor.at + 1, end);
  cursor.at = end + 1;
}

function readDoubleQuoted(cursor: ShellCursor, word: Growing): void {
  cursor.at++;
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] ?? '';
    const next = cursor.text[cursor.at + 1] ?? '';
    if (char === '"') {
      cursor.at++;
      return;
    }
    if (char === '$') expand(cursor, word, () => readDollar(cursor, true));
    else if (char === '`') expand(cursor, word, () => readBackticks(cursor, true));
    else if (char === '\\' && '$`"\\\n'.includes(next)) readEscape(cursor, word);
    else {
      word.text += char;
      cursor.at++;
    }
  }
  giveUp(cursor, 'a quote is not closed');
}

function readDollarPiece(cursor: ShellCursor, word: Growing): void {
  const next = cursor.text[cursor.at + 1];
  if (next === "'") {
    readAnsiQuoted(cursor, word);
    return;
  }
  if (next === '"') cursor.at++;
  else expand(cursor, word, () => readDollar(cursor, false));
}

const ANSI_QUOTED = /\$'((?:[^'\\]|\\[\s\S])*)'/y;

function readAnsiQuoted(cursor: ShellCursor, word: Growing): void {
  ANSI_QUOTED.lastIndex = cursor.at;
  const match = ANSI_QUOTED.exec(cursor.text);
  if (!match) {
    giveUp(cursor, 'a quote is not closed');
    return;
  }
  word.text += decodeAnsiQuoted(match[1] ?? '');
  cursor.at = ANSI_QUOTED.lastIndex;
}

function isProcessSubstitution(cursor: ShellCursor): boolean {
  const char = cursor.text[cursor.at];
  return (char === '<' || char === '>') && cursor.text[cursor.at + 1] === '(';
}

function readProcessSubstitution(cursor: ShellCursor, word: Growing): void {
  expand(cursor, word, () => {
    cursor.at += 2;
    nested(cursor, undefined, (inner) => inner.readCommands(inner, ')'));
    return true;
  });
}

/** Runs a reader of an expansion and keeps its source in the word; a lone `$` is only a character. */
function expand(cursor: ShellCursor, word: Growing, read: () => boolean): void {
  const start = cursor.at;
  if (read()) word.expands = true;
  word.text += cursor.text.slice(start, cursor.at);
}
