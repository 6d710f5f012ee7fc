import { ownValue } from '../../system/ownValue.ts';
import { sameRow } from './sameRow.ts';
import { mayEvaluateCommand, readArithmetic } from './shellArithmetic.ts';
import { readHeredocBodies } from './shellHeredocs.ts';
import { readTest } from './shellTests.ts';
import {
  giveUp,
  type MutablePart,
  markHidden,
  markUnclear,
  nested,
  type ShellCursor,
  type ShellPart,
  type ShellWord,
} from './shellTypes.ts';
import { readWord } from './shellWords.ts';

/**
 * A command line as the simple commands in it, wherever they stand: after operators, in subshells, substitutions,
 * bodies of `if` and `while`. Built to be believed only as far as it is sure: `unclear` still has what was found.
 */
export interface SplitCommand extends Readonly<Pick<ShellCursor, 'unusual' | 'unclear' | 'unread'>> {
  readonly parts: readonly ShellPart[];
}

const MAX_LENGTH = 100_000;
const MAX_PARTS = 500;
const MAX_WORDS = 5000;

export function splitCommand(text: string): SplitCommand {
  const cursor: ShellCursor = {
    ...{ text, at: 0, depth: 0, found: [], heredocs: [], evaluated: new Set<string>() },
    ...{ unusual: undefined, unclear: undefined, unread: '', readCommands },
  };
  if (text.length > MAX_LENGTH) giveUp(cursor, `it is longer than ${MAX_LENGTH} characters`);
  readCommands(cursor, undefined);
  if (cursor.heredocs.length > 0) markUnclear(cursor, 'a heredoc has no body');
  if (mayEvaluateCommand(cursor.evaluated, cursor.found)) markHidden(cursor, 'it does arithmetic with text');
  const { found: parts, unusual, unclear = hiddenName(parts), unread } = cursor;
  return { parts, unusual, unclear, unread };
}

function hiddenName(parts: readonly ShellPart[]): string | undefined {
  const hidden = parts.find(
    ({ words: [head] }) => head && (head.expands || (head.globs && head.raw !== '[') || head.text === ''),
  );
  return hidden && 'the name of a command in it is only known when it runs';
}

interface List {
  readonly cursor: ShellCursor;
  part: MutablePart;
  closed: boolean;
  readonly closer: ')' | undefined;
}

function readCommands(cursor: ShellCursor, closer: ')' | undefined): void {
  const list: List = { cursor, part: emptyPart(), closed: false, closer };
  while (!list.closed && skipBlanks(cursor)) {
    const char = cursor.text[cursor.at] ?? '';
    (ownValue(OPERATORS, char) ?? readNextWord)(list);
    if (list.part.words.length > MAX_WORDS) giveUp(cursor, `it holds a command of more than ${MAX_WORDS} words`);
    if (cursor.found.length > MAX_PARTS) giveUp(cursor, `it holds more than ${MAX_PARTS} commands`);
  }
  finishPart(list);
  if (closer !== undefined && !list.closed) markUnclear(cursor, 'a parenthesis is not closed');
}

const OPERATORS: Readonly<Record<string, (list: List) => void>> = {
  '\n': (list) => {
    finishPart(list);
    list.cursor.at++;
    readHeredocBodies(list.cursor);
  },
  '#': ({ cursor }) => {
    const end = cursor.text.indexOf('\n', cursor.at);
    cursor.at = end < 0 ? cursor.text.length : end;
  },
  ';': separate,
  '|': separate,
  '&': readAmpersand,
  '<': readAngle,
  '>': readAngle,
  '(': openParenthesis,
  ')': closeParenthesis,
};

function readAmpersand(list: List): void {
  const next = list.cursor.text[list.cursor.at + 1];
  if (next === '>') {
    readRedirect(list);
    return;
  }
  if (next !== '&') list.cursor.unusual ??= 'it starts a command in the background with &';
  separate(list);
}

function separate(list: List): void {
  finishPart(list);
  while (';|&'.includes(list.cursor.text[list.cursor.at] ?? ' ')) {
    // `&>` after an operator begins a redirection, not another operator.
    if (list.cursor.text.startsWith('&>', list.cursor.at)) return;
    list.cursor.at++;
  }
}

function openParenthesis(list: List): void {
  const { cursor, part } = list;
  if (part.words.length === 1 && /^[ \t]*\)/.test(cursor.text.slice(cursor.at + 1, cursor.at + 50))) {
    markUnclear(cursor, 'it defines a function');
    list.part = emptyPart();
    cursor.at = cursor.text.indexOf(')', cursor.at) + 1;
    return;
  }
  if (part.words.length > 0 || part.assignments.length > 0)
    markUnclear(cursor, 'a parenthesis stands inside a command');
  if (cursor.text[cursor.at + 1] === '(') {
    if (readArithmetic(cursor, cursor.at)) return;
    markHidden(cursor, 'it does arithmetic or nests subshells as (( ))');
  }
  finishPart(list);
  cursor.unusual ??= 'it starts a subshell';
  cursor.at++;
  nested(cursor, undefined, (inner) => readCommands(inner, ')'));
}

function closeParenthesis(list: List): void {
  list.cursor.at++;
  if (list.closer === ')') list.closed = true;
  else {
    markUnclear(list.cursor, 'a parenthesis is closed that was not opened');
    finishPart(list);
  }
}

function readAngle(list: List): void {
  if (list.cursor.text[list.cursor.at + 1] === '(') readNextWord(list);
  else readRedirect(list);
}

const REDIRECT = /<<<|<<-|<<|<>|<&|<|>>|>\||>&|>|&>>|&>/y;

function readRedirect({ cursor, part }: List): void {
  REDIRECT.lastIndex = cursor.at;
  const operator = REDIRECT.exec(cursor.text)?.[0] ?? '';
  cursor.at += operator.length;
  skipBlanks(cursor);
  const target = readWord(cursor);
  if (target.raw === '') {
    giveUp(cursor, 'a redirection names no file');
    return;
  }
  // Bash expands what stands there twice, so that a quoted `$(cmd)` runs: `echo >&'$(cmd)'`
  if (operator.endsWith('&') && !/^[\w./~-]*$/.test(target.raw))
    markHidden(cursor, `what stands after ${operator} is not plain`);
  if (operator !== '<<' && operator !== '<<-') {
    part.redirects.push({ operator, target });
    return;
  }
  if (!DELIMITER.test(target.raw)) {
    giveUp(cursor, 'the delimiter of a heredoc is not one plain word');
    return;
  }
  const quoted = target.raw !== target.text;
  cursor.heredocs.push({ delimiter: target.text, quoted, stripTabs: operator === '<<-', part });
}

/** `EOF`, `'EOF'`, `"EOF"` or `\EOF`. Others are taken apart by bash in ways of their own. */
const DELIMITER = /^(?:\\?[A-Za-z_]\w*|'[\w .-]+'|"[\w .-]+")$/;
const DESCRIPTOR = /^\d+$/;
const ASSIGNMENT = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/;

function readNextWord(list: List): void {
  const { cursor } = list;
  const word = readWord(cursor);
  const next = cursor.text[cursor.at];
  // The 2 of `2>file` belongs to the redirection that follows without a blank.
  if (DESCRIPTOR.test(word.raw) && (next === '<' || next === '>') && cursor.text[cursor.at + 1] !== '(') return;
  if (/^\{.+\}$/s.test(word.raw) && (next === '<' || next === '>')) {
    markHidden(cursor, 'a redirection in it sets a variable');
    return;
  }
  const { part } = list;
  if (part.words.length > 0) {
    part.words.push(word);
    return;
  }
  const assignment = ASSIGNMENT.exec(word.raw);
  if (assignment) {
    if (assignment[2] !== undefined) markUnclear(cursor, 'it assigns to an element of an array');
    const value = assignedValue(word, assignment[0]);
    part.assignments.push({ name: assignment[1] ?? '', raw: word.raw, value });
    return;
  }
  const isPlain = part.assignments.length === 0 && word.raw === word.text;
  const readKeyword = isPlain ? ownValue(KEYWORDS, word.text) : undefined;
  if (readKeyword === undefined) part.words.push(word);
  else readKeyword(list, word.text);
}

/** What stands after `name=`; appending (`+=`) makes a value that is not all here. */
function assignedValue({ text, raw, expands, globs }: ShellWord, before: string): ShellWord {
  const appends = before.endsWith('+=');
  return { text: text.slice(before.length), raw: raw.slice(before.length), expands: expands || appends, globs };
}

type ReadKeyword = (list: List, word: string) => void;

/** What a reserved word does to the words after it. */
const KEYWORDS: Readonly<Record<string, ReadKeyword>> = {
  ...sameRow<ReadKeyword>('! } if then elif else fi while until do done esac', () => {}),
  ...sameRow<ReadKeyword>('case select', ({ cursor }, word) => markUnclear(cursor, `it uses \`${word}\``)),
  '{': ({ cursor }) => {
    cursor.unusual ??= 'it groups commands with { }';
  },
  // only `-p` belongs to it; `time { cmd; }` and `time ! cmd` are commands like any other
  time: ({ cursor }) => {
    skipBlanks(cursor);
    const option = /-p(?=[ \t])/y;
    option.lastIndex = cursor.at;
    if (option.test(cursor.text)) cursor.at = option.lastIndex;
  },
  // a name may stand before its command, or not
  coproc: ({ cursor }, word) => markHidden(cursor, `it uses \`${word}\``),
  function: (list, word) => {
    markUnclear(list.cursor, `it uses \`${word}\``);
    skipBlanks(list.cursor);
    readWord(list.cursor);
  },
  for: (list) => {
    skipBlanks(list.cursor);
    const { raw } = readWord(list.cursor);
    if (!/^[A-Za-z_]\w*$/.test(raw)) markHidden(list.cursor, 'a loop in it counts, or its variable is not plain');
    const items = readLoopItems(list);
    const values = items?.length ? items : [ARGUMENTS];
    list.part.assignments.push(...values.map((value) => ({ name: raw, raw: `${raw}=${value.raw}`, value })));
  },
  '[[': ({ cursor, part }) => part.words.push(...readTest(cursor)),
};

/** A loop without `in` goes over the arguments of the shell. */
const ARGUMENTS: ShellWord = { text: '$@', raw: '$@', expands: true, globs: false };

/** What follows `for x in` up to the line's end is data; commands in it are found as substitutions. */
function readLoopItems(list: List): ShellWord[] | undefined {
  const { cursor } = list;
  skipBlanks(cursor);
  const word = readWord(cursor).raw;
  if (word === 'do') finishPart(list);
  if (word !== 'in') return undefined;
  const items: ShellWord[] = [];
  while (skipBlanks(cursor) && !/[\n;&|()<>]/.test(cursor.text[cursor.at] ?? '')) items.push(readWord(cursor));
  return items;
}

function emptyPart(): MutablePart {
  return { words: [], assignments: [], redirects: [], inputs: [] };
}

function finishPart(list: List): void {
  const { part, cursor } = list;
  list.part = emptyPart();
  const opensHeredoc = cursor.heredocs.some((heredoc) => heredoc.part === part);
  if (part.words.length + part.assignments.length + part.redirects.length > 0 || opensHeredoc) cursor.found.push(part);
}

/** Moves to the next character that means something; false at the end. */
function skipBlanks(cursor: ShellCursor): boolean {
  for (;;) {
    const char = cursor.text[cursor.at];
    if (char === ' ' || char === '\t') cursor.at++;
    else if (char === '\\' && cursor.text[cursor.at + 1] === '\n') joinLines(cursor);
    else return cursor.at < cursor.text.length;
  }
}

/** Bash joins the lines before it looks at anything else, so `$(\` and `(x))` on the next line are a sum. */
function joinLines(cursor: ShellCursor): void {
  if (!/[ \t]/.test(cursor.text[cursor.at - 1] ?? ' '))
    markHidden(cursor, 'a line in it goes on without a blank before');
  cursor.at += 2;
}
