/** One word of a command, as bash would see it before it expands anything. */
export interface ShellWord {
  /** Quotes and escapes taken away; expansions as written. */
  readonly text: string;
  /** As written. */
  readonly raw: string;
  /** Holds `$x`, `$(…)`, backticks or `<(…)`: its text is only known when it runs. */
  readonly expands: boolean;
  /** Holds an unquoted `*`, `?`, `[` or brace list. */
  readonly globs: boolean;
  /** Set for a word with wildcards and quotes: its text, with a backslash before what is quoted. */
  readonly pattern?: string;
  /** The line may have changed how bash reads wildcards. */
  readonly wide?: boolean;
}

/** What bash looks up for a word with wildcards. */
export function patternOf({ text, pattern }: ShellWord): string {
  return pattern ?? text;
}

/** A word of which all is known. */
export function plainWord(text: string): ShellWord {
  return { text, raw: text, expands: false, globs: false };
}

export interface ShellRedirect {
  readonly operator: string;
  readonly target: ShellWord;
}

export interface ShellAssignment {
  readonly name: string;
  /** All of it, as written. */
  readonly raw: string;
  readonly value: ShellWord;
}

/** One simple command: everything between two operators. */
export interface ShellPart {
  readonly words: readonly ShellWord[];
  /** Leading `NAME=value` words, and each value that a `for` gives its variable. */
  readonly assignments: readonly ShellAssignment[];
  readonly redirects: readonly ShellRedirect[];
  /** Text given on stdin by a heredoc. */
  readonly inputs: readonly { readonly text: string; readonly expands: boolean }[];
}

/** What a part has on its standard input, as far as the line shows it. */
export function givenInputs({ redirects, inputs }: ShellPart): ShellPart['inputs'] {
  return [...redirects.flatMap(({ operator, target }) => (operator === '<<<' ? [target] : [])), ...inputs];
}

export const givenTexts = (part: ShellPart): string[] => givenInputs(part).map(({ text }) => text);

export type MutablePart = { -readonly [Key in keyof ShellPart]: ShellPart[Key][number][] };

export interface PendingHeredoc {
  readonly delimiter: string;
  readonly quoted: boolean;
  readonly stripTabs: boolean;
  readonly part: MutablePart;
}

/** Where reading stands. Shared by all readers of one text; a text inside it (backticks) gets its own. */
export interface ShellCursor {
  readonly text: string;
  at: number;
  readonly depth: number;
  readonly found: ShellPart[];
  readonly heredocs: PendingHeredoc[];
  /** Variables whose values are evaluated as arithmetic; see `shellArithmetic`. */
  readonly evaluated: Set<string>;
  /** Syntax that is read, but is not plain enough to run without a question; the first one stays. */
  unusual: string | undefined;
  /** Why the text cannot be told for sure; the first reason stays. */
  unclear: string | undefined;
  /** What was left when reading was given up. */
  unread: string;
  /** Reads commands until the closing parenthesis, or the end; given, because words and lists contain each other. */
  readonly readCommands: (cursor: ShellCursor, closer: ')' | undefined) => void;
}

const MAX_DEPTH = 20;

/** Stands in `unread` for commands that are only known when the line runs: no rule can tell what they are not. */
export const ANYTHING = '$';

export function markUnclear(cursor: ShellCursor, reason: string): void {
  cursor.unclear ??= reason;
}

/** Something in the text is evaluated when it runs, and may then be any command. */
export function markHidden(cursor: ShellCursor, reason: string): void {
  markUnclear(cursor, reason);
  cursor.unread += ANYTHING;
}

/** Ends reading: what follows cannot be told from what came before. The textual check still sees all of it. */
export function giveUp(cursor: ShellCursor, reason: string): void {
  markUnclear(cursor, reason);
  cursor.unread += cursor.text.slice(cursor.at);
  cursor.at = cursor.text.length;
}

/** Reads with one more level of nesting; both directions share what was found. */
export function nested(cursor: ShellCursor, text: string | undefined, read: (inner: ShellCursor) => void): void {
  if (cursor.depth >= MAX_DEPTH) {
    giveUp(cursor, `it is nested more than ${MAX_DEPTH} levels deep`);
    return;
  }
  const inner: ShellCursor = {
    ...cursor,
    depth: cursor.depth + 1,
    heredocs: [],
    ...(text === undefined ? {} : { text, at: 0 }),
  };
  read(inner);
  if (inner.heredocs.length > 0) markUnclear(inner, 'a heredoc has no body where it is expected');
  cursor.unusual = inner.unusual;
  cursor.unclear = inner.unclear;
  cursor.unread = inner.unread;
  if (text === undefined) cursor.at = inner.at;
}
