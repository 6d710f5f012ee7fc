import { readArithmetic } from './shellArithmetic.ts';
import { giveUp, nested, type ShellCursor } from './shellTypes.ts';

const NAME = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/y;

/** Text inside `${…}` that bash takes as it stands: no quote, no escape, nothing that expands. */
const PLAIN = '[\\w./:@%+,= -]*';
/**
 * The forms of `${…}` that only read a variable. Everything else is left unread: of all other forms, many evaluate
 * (`${x:v}`, `${a[v]}`, `${!x}`, `${x@P}`), and where one ends depends on quotes that mean different things inside and
 * outside of double quotes.
 */
const PARAMETER = new RegExp(
  `\\$\\{(?:${[
    '#?(?:[A-Za-z_]\\w*(?:\\[(?:@|\\*|\\d+)\\])?|\\d+|[@*#?$!-])',
    `[A-Za-z_]\\w*:?[-+]${PLAIN}`,
    '[A-Za-z_]\\w*(?:##?|%%?)[\\w./:@+,=*? -]*',
    '[A-Za-z_]\\w*//?[\\w.:@+,=*? -]+/[\\w.:@+,= -]*',
    '[A-Za-z_]\\w*(?:\\^\\^?|,,?)',
    '[A-Za-z_]\\w*:(?:\\d+| -\\d+)(?::\\d+)?',
  ].join('|')})\\}`,
  'y',
);

/** Reads what a `$` begins; false when it begins nothing. Commands inside are read as commands. */
export function readDollar(cursor: ShellCursor): boolean {
  const next = cursor.text[cursor.at + 1];
  if (next === '(') readParenthesis(cursor);
  else if (next === '{') readParameter(cursor);
  else if (next === '[') giveUp(cursor, 'it uses the old form of arithmetic, $[ ]');
  else return readName(cursor);
  return true;
}

function readName(cursor: ShellCursor): boolean {
  NAME.lastIndex = cursor.at;
  const found = NAME.test(cursor.text);
  // an exit code is a number, whatever happened
  const isExitCode = cursor.text[cursor.at + 1] === '?';
  cursor.at = found ? NAME.lastIndex : cursor.at + 1;
  return found && !isExitCode;
}

function readParameter(cursor: ShellCursor): void {
  PARAMETER.lastIndex = cursor.at;
  if (PARAMETER.test(cursor.text)) cursor.at = PARAMETER.lastIndex;
  else giveUp(cursor, 'an expansion in it does more than name a variable');
}

function readParenthesis(cursor: ShellCursor): void {
  if (cursor.text[cursor.at + 2] === '(' && readArithmetic(cursor, cursor.at + 1)) return;
  if (cursor.text[cursor.at + 2] === '(') {
    giveUp(cursor, 'it may do arithmetic or start a subshell, $(( )');
    return;
  }
  cursor.at += 2;
  nested(cursor, undefined, (inner) => inner.readCommands(inner, ')'));
}

/** Reads commands inside text that is otherwise left alone: a heredoc's body. */
export function readExpansions(cursor: ShellCursor): void {
  while (cursor.at < cursor.text.length) {
    const char = cursor.text[cursor.at];
    if (char === '\\') cursor.at += 2;
    else if (char === '$') readDollar(cursor);
    else if (char === '`') readBackticks(cursor);
    else cursor.at++;
  }
}

const BACKTICKS = /`([^`\\]*)`/y;

/** Reads `…` in backticks. Escapes in there are undone twice, in ways that depend on the quotes around: not read. */
export function readBackticks(cursor: ShellCursor): boolean {
  BACKTICKS.lastIndex = cursor.at;
  const match = BACKTICKS.exec(cursor.text);
  if (!match) {
    giveUp(cursor, 'backticks in it are escaped or not closed');
    return true;
  }
  nested(cursor, match[1] ?? '', (inner) => inner.readCommands(inner, undefined));
  cursor.at = Math.max(cursor.at, BACKTICKS.lastIndex);
  return true;
}
