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
}

export interface ShellRedirect {
  readonly operator: string;
  readonly target: ShellWord;
}

/** One simple command: everything between two operators. */
export interface ShellPart {
  readonly words: readonly ShellWord[];
  /** Leading `NAME=value` words, and the variable of a `for`. */
  readonly assignments: readonly { readonly name: string; readonly raw: string }[];
  readonly redirects: readonly ShellRedirect[];
  /** Text given on stdin by a heredoc. */
  readonly inputs: readonly { readonly text: string; readonly expands: boolean }[];
}

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
  /** Why the text cannot be told for sure; the first reason stays. */
  unclear: string | undefined;
  /** What was left when reading was given up. */
  unread: string;
  /** Reads commands until the closing parenthesis, or the end; given, because words and lists contain each other. */
  readonly readCommands: (cursor: ShellCursor, closer: ')' | undefined) => void;
}

export const MAX_DEPTH = 20;

export function markUnclear(cursor: ShellCursor, reason: string): void {
  cursor.unclear ??= reason;
}

/** Ends reading: what follows cannot be told from what came before. The textual check still sees all of it. */
export function giveUp(cursor: ShellCursor, reason: string): void {
  markUnclear(cursor, reason);
  // The `$[` that is given up on says nothing about what follows it.
  cursor.unread += cursor.text.slice(cursor.at).replace(/^\$\[/, '');
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
  cursor.unclear = inner.unclear;
  cursor.unread = inner.unread;
  if (text === undefined) cursor.at = inner.at;
}
