import { giveUp, markUnclear, nested, type ShellCursor } from './shellTypes.ts';

const NAME = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/y;
/** Sums of plain numbers. A name in a sum is evaluated, and `a[$(rm x)]` in its value is then run. */
const PLAIN_SUM = /^[\d\s+\-*/%()<>=!&|^~?:,]*$/;

/** Reads what a `$` begins; false when it begins nothing. Commands inside are read as commands. */
export function readDollar(cursor: ShellCursor, quoted: boolean): boolean {
  const next = cursor.text[cursor.at + 1];
  if (next === '(') readParenthesis(cursor);
  else if (next === '{') nested(cursor, undefined, (inner) => readBraces(inner, quoted));
  else if (next === '[') giveUp(cursor, 'it uses the old form of arithmetic, $[ ]');
  else return readName(cursor);
  return true;
}

function readName(cursor: ShellCursor): boolean {
  NAME.lastIndex = cursor.at;
  const found = NAME.test(cursor.text);
  cursor.at = found ? NAME.lastIndex : cursor.at + 1;
  return found;
}

function readParenthesis(cursor: ShellCursor): void {
  cursor.at += 2;
  if (cursor.text[cursor.at] === '(') {
    const end = closingParenthesis(cursor.text, cursor.at);
    if (end === undefined) {
      giveUp(cursor, 'a parenthesis is not closed');
      return;
    }
    // Bash takes `$((` for arithmetic only when the inner pair is closed right before the outer one.
    if (cursor.text[end + 1] === ')') {
      readArithmetic(cursor, end);
      return;
    }
  }
  nested(cursor, undefined, (inner) => inner.readCommands(inner, ')'));
}

function readArithmetic(cursor: ShellCursor, end: number): void {
  const sum = cursor.text.slice(cursor.at + 1, end);
  if (!PLAIN_SUM.test(sum)) markUnclear(cursor, 'it does arithmetic with names');
  nested(cursor, sum, readExpansions);
  cursor.at = end + 2;
}

function closingParenthesis(text: string, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return undefined;
}

/** Reads commands inside text that is otherwise left alone: a heredoc's body, a sum. */
export function readExpansions(cursor: ShellCursor): void {
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at];
    if (char === '\\') cursor.at += 2;
    else if (char === '$') readDollar(cursor, true);
    else if (char === '`') readBackticks(cursor, true);
    else cursor.at++;
  }
}

function readBraces(cursor: ShellCursor, quoted: boolean): void {
  const start = cursor.at + 2;
  cursor.at = start;
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at];
    if (char === '}') {
      checkParameter(cursor, cursor.text.slice(start, cursor.at));
      cursor.at++;
      return;
    }
    if (char === '\\') cursor.at += 2;
    else if (char === "'" && !quoted) skipSingleQuoted(cursor);
    else if (char === '$') readDollar(cursor, true);
    else if (char === '`') readBackticks(cursor, true);
    else cursor.at++;
  }
  giveUp(cursor, 'a brace is not closed');
}

function skipSingleQuoted(cursor: ShellCursor): void {
  const end = cursor.text.indexOf("'", cursor.at + 1);
  if (end < 0) giveUp(cursor, 'a quote is not closed');
  else cursor.at = end + 1;
}

/** Subscripts are arithmetic, `@P` runs what it finds, and a quote in here is read differently inside quotes. */
function checkParameter(cursor: ShellCursor, inside: string): void {
  if (/[[@'"]/.test(inside.replace(/^@$/, '')))
    markUnclear(cursor, 'an expansion in it does more than name a variable');
}

/** Reads `…` in backticks; its own escapes are undone first, as bash does. */
export function readBackticks(cursor: ShellCursor, quoted: boolean): boolean {
  const start = cursor.at + 1;
  let end = start;
  while (end < cursor.text.length && cursor.text[end] !== '`') end += cursor.text[end] === '\\' ? 2 : 1;
  if (end >= cursor.text.length) {
    giveUp(cursor, 'a backtick is not closed');
    return true;
  }
  const source = cursor.text.slice(start, end).replace(quoted ? /\\([$`\\"])/g : /\\([$`\\])/g, '$1');
  nested(cursor, source, (inner) => inner.readCommands(inner, undefined));
  cursor.at = Math.max(cursor.at, end + 1);
  return true;
}
