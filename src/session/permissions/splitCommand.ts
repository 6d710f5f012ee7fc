import { readHeredocBodies } from './shellHeredocs.ts';
import { type Keyword, keywordOf } from './shellKeywords.ts';
import { giveUp, type MutablePart, markUnclear, nested, type ShellCursor, type ShellPart } from './shellTypes.ts';
import { readWord } from './shellWords.ts';

/**
 * A command line as the simple commands in it, wherever they stand: after operators, in subshells, substitutions,
 * bodies of `if` and `while`. Built to be believed only as far as it is sure: `unclear` still has what was found.
 */
export type SplitCommand =
  | { readonly type: 'parsed'; readonly parts: readonly ShellPart[] }
  | {
      readonly type: 'unclear';
      readonly reason: string;
      readonly parts: readonly ShellPart[];
      /** What was not read at all. */
      readonly unread: string;
    };

const MAX_LENGTH = 100_000;
const MAX_PARTS = 500;
const MAX_WORDS = 5000;

export function splitCommand(text: string): SplitCommand {
  if (text.length > MAX_LENGTH) {
    return { type: 'unclear', reason: `it is longer than ${MAX_LENGTH} characters`, parts: [], unread: text };
  }
  const cursor: ShellCursor = {
    ...{ text, at: 0, depth: 0, found: [], heredocs: [] },
    ...{ unclear: undefined, unread: '', readCommands },
  };
  readCommands(cursor, undefined);
  if (cursor.heredocs.length > 0) markUnclear(cursor, 'a heredoc has no body');
  const reason = cursor.unclear ?? hiddenName(cursor.found);
  return reason === undefined
    ? { type: 'parsed', parts: cursor.found }
    : { type: 'unclear', reason, parts: cursor.found, unread: cursor.unread };
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
    (OPERATORS[char] ?? readNextWord)(list);
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
  '&': (list) => (list.cursor.text[list.cursor.at + 1] === '>' ? readRedirect(list) : separate(list)),
  '<': readAngle,
  '>': readAngle,
  '(': openParenthesis,
  ')': closeParenthesis,
};

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
  if (cursor.text[cursor.at + 1] === '(') markUnclear(cursor, 'it does arithmetic or nests subshells as (( ))');
  finishPart(list);
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
  if (operator !== '<<' && operator !== '<<-') {
    part.redirects.push({ operator, target });
    return;
  }
  const quoted = target.raw !== target.text;
  cursor.heredocs.push({ delimiter: target.text, quoted, stripTabs: operator === '<<-', part });
}

const DESCRIPTOR = /^(?:\d+|\{\w+\})$/;
const ASSIGNMENT = /^([A-Za-z_]\w*)(\[[^\]]*\])?\+?=/;

function readNextWord(list: List): void {
  const { cursor } = list;
  const word = readWord(cursor);
  const next = cursor.text[cursor.at];
  // The 2 of `2>file` belongs to the redirection that follows without a blank.
  if (DESCRIPTOR.test(word.raw) && (next === '<' || next === '>') && cursor.text[cursor.at + 1] !== '(') return;
  const { part } = list;
  if (part.words.length > 0) {
    part.words.push(word);
    return;
  }
  const assignment = ASSIGNMENT.exec(word.raw);
  if (assignment) {
    if (assignment[2] !== undefined) markUnclear(cursor, 'it assigns to an element of an array');
    part.assignments.push({ name: assignment[1] ?? '', raw: word.raw });
    return;
  }
  const keyword = part.assignments.length === 0 && word.raw === word.text ? keywordOf(word.text) : undefined;
  if (keyword === undefined) part.words.push(word);
  else KEYWORDS[keyword](list, word.text);
}

const KEYWORDS: Readonly<Record<Keyword, (list: List, word: string) => void>> = {
  introduces: () => {},
  unclear: ({ cursor }, word) => markUnclear(cursor, `it uses \`${word}\``),
  names: (list, word) => {
    markUnclear(list.cursor, `it uses \`${word}\``);
    skipBlanks(list.cursor);
    readWord(list.cursor);
  },
  loops: (list) => {
    skipBlanks(list.cursor);
    const { raw } = readWord(list.cursor);
    list.part.assignments.push({ name: raw, raw: `${raw}=` });
    skipLoopItems(list);
  },
  tests: readTest,
};

/** What follows `for x in` up to the line's end is data; commands in it are found as substitutions. */
function skipLoopItems(list: List): void {
  const { cursor } = list;
  skipBlanks(cursor);
  const word = readWord(cursor).raw;
  if (word === 'do') finishPart(list);
  if (word !== 'in') return;
  while (skipBlanks(cursor) && !/[\n;&|()<>]/.test(cursor.text[cursor.at] ?? '')) readWord(cursor);
}

const ARITHMETIC_TEST = /^-(?:eq|ne|lt|le|gt|ge|v|R)$/;

/** Inside `[[ ]]` the signs `<`, `>`, `&&` and parentheses compare; they neither redirect nor separate. */
function readTest({ cursor, part }: List): void {
  const words: MutablePart['words'] = [{ text: '[[', raw: '[[', expands: false, globs: false }];
  for (;;) {
    while (
      /[\s;&|()<>]/.test(cursor.text[cursor.at] ?? '') &&
      !/[<>]\(/.test(cursor.text.slice(cursor.at, cursor.at + 2))
    ) {
      cursor.at++;
    }
    if (cursor.at >= cursor.text.length) {
      giveUp(cursor, 'a [[ is not closed');
      return;
    }
    const word = readWord(cursor);
    words.push(word);
    if (ARITHMETIC_TEST.test(word.text)) markUnclear(cursor, 'it compares as arithmetic inside [[ ]]');
    if (word.raw === ']]') break;
  }
  part.words.push(...words);
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
    else if (char === '\\' && cursor.text[cursor.at + 1] === '\n') cursor.at += 2;
    else return cursor.at < cursor.text.length;
  }
}
