import { ownValue } from '../../system/ownValue.ts';
import { readBackticks, readDollar } from './shellExpansions.ts';
import { giveUp, markHidden, markUnclear, nested, type ShellCursor, type ShellWord } from './shellTypes.ts';

type Growing = { -readonly [Key in keyof ShellWord]: ShellWord[Key] } & { brace: boolean; pattern: string };

const ENDS_WORD = new Set([' ', '\t', '\n', ';', '&', '|', '(', ')', '<', '>']);

/** Reads one word: quotes, escapes and expansions included. The cursor stands at its first character. */
export function readWord(cursor: ShellCursor): ShellWord {
  const start = cursor.at;
  const word: Growing = { text: '', raw: '', expands: false, globs: false, brace: false, pattern: '' };
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at] ?? '';
    if (isProcessSubstitution(cursor)) readProcessSubstitution(cursor, word);
    else if (ENDS_WORD.has(char)) break;
    else (ownValue(PIECES, char) ?? readPlain)(cursor, word);
  }
  const { text, expands, globs, pattern } = word;
  const quoted = globs && pattern !== text ? { pattern } : {};
  return { text, raw: cursor.text.slice(start, cursor.at), expands, globs, ...quoted };
}

/** Adds what is quoted: in a pattern these characters then stand for themselves. */
function addQuoted(word: Growing, text: string): void {
  word.text += text;
  word.pattern += text.replaceAll(/[\\*?[\]{},.!^-]/g, '\\$&');
}

const PIECES: Readonly<Record<string, (cursor: ShellCursor, word: Growing) => void>> = {
  '\\': readEscape,
  "'": readSingleQuoted,
  '"': readDoubleQuoted,
  $: readDollarPiece,
  '`': (cursor, word) => expand(cursor, word, () => readBackticks(cursor)),
};

function readPlain(cursor: ShellCursor, word: Growing): void {
  const char = cursor.text[cursor.at] ?? '';
  // Bash takes a carriage return for a letter, people take it for a line end, and would not see what will run.
  if (char < ' ' || char === '\u007f') markUnclear(cursor, 'it holds a control character');
  if (char === '{') word.brace = true;
  const inBrace = word.brace && (char === ',' || cursor.text.startsWith('..', cursor.at));
  if (inBrace || char === '*' || char === '?' || char === '[') word.globs = true;
  word.text += char;
  word.pattern += char;
  cursor.at++;
}

function readEscape(cursor: ShellCursor, word: Growing): void {
  const next = cursor.text[cursor.at + 1] ?? '';
  // Bash joins the lines before it looks at anything else: `"$\` and `(cmd)"` on the next line run cmd.
  if (next === '\n') markHidden(cursor, 'a word in it goes on after a backslash at the end of a line');
  else addQuoted(word, next);
  cursor.at += 2;
}

function readSingleQuoted(cursor: ShellCursor, word: Growing): void {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end < 0) {
    giveUp(cursor, 'a quote is not closed');
    return;
  }
  addQuoted(word, cursor.text.slice(cursor.at + 1, end));
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
    if (char === '$') expand(cursor, word, () => readDollar(cursor));
    else if (char === '`') expand(cursor, word, () => readBackticks(cursor));
    else if (char === '\\' && '$`"\\\n'.includes(next)) readEscape(cursor, word);
    else {
      addQuoted(word, char);
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
  // Bash looks its text up in a catalog of translations, and expands what it finds there.
  if (next === '"') giveUp(cursor, 'it has text to be translated, $" "');
  else expand(cursor, word, () => readDollar(cursor));
}

const ANSI_QUOTED = /\$'((?:[^'\\]|\\[\s\S])*)'/y;

function readAnsiQuoted(cursor: ShellCursor, word: Growing): void {
  ANSI_QUOTED.lastIndex = cursor.at;
  const match = ANSI_QUOTED.exec(cursor.text);
  if (!match) {
    giveUp(cursor, 'a quote is not closed');
    return;
  }
  const source = match[1] ?? '';
  cursor.unusual ??= "it has text in $' '";
  // `\u` depends on the locale, and a NUL ends the text in the middle
  if (!/^(?:[^\\]|\\(?:[abeEfnrtv\\'"?]|x[2-7][0-9a-fA-F]|[01]?[4-7][0-7]))*$/.test(source))
    markHidden(cursor, "it has an escape in $' ' that is not plain");
  addQuoted(word, decodeAnsiQuoted(source));
  cursor.at = ANSI_QUOTED.lastIndex;
}

const NAMED: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\u000b',
};

/** The text that bash makes of what stands between `$'` and `'`. */
function decodeAnsiQuoted(source: string): string {
  return source.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (_, hex?: string, short?: string, long?: string, octal?: string, control?: string, other?: string) => {
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCode(Number.parseInt(code, 16));
      if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f);
      return ownValue(NAMED, other) ?? other ?? '';
    },
  );
}

function fromCode(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
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
  word.pattern += cursor.text.slice(start, cursor.at);
}
