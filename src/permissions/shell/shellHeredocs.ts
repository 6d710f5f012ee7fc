import { readExpansions } from './shellExpansions.ts';
import { markHidden, markUnclear, nested, type PendingHeredoc, type ShellCursor } from './shellTypes.ts';

/** Reads the bodies of all heredocs that were opened on the line that just ended. */
export function readHeredocBodies(cursor: ShellCursor): void {
  for (const heredoc of cursor.heredocs.splice(0)) readBody(cursor, heredoc);
}

function readBody(cursor: ShellCursor, heredoc: PendingHeredoc): void {
  const start = cursor.at;
  const end = findEnd(cursor, heredoc);
  const text = cursor.text.slice(start, end);
  heredoc.part.inputs.push({ text, expands: !heredoc.quoted && /[$`]/.test(text) });
  if (heredoc.quoted) return;
  // Bash joins lines at a backslash before it looks for the delimiter, so the body may end elsewhere.
  if (text.includes('\\\n')) markHidden(cursor, 'a heredoc joins lines with a backslash');
  nested(cursor, text, readExpansions);
}

/** Moves past the delimiter's line and returns where the body ends. */
function findEnd(cursor: ShellCursor, { delimiter, stripTabs }: PendingHeredoc): number {
  while (cursor.at < cursor.text.length) {
    const lineStart = cursor.at;
    const newline = cursor.text.indexOf('\n', lineStart);
    const lineEnd = newline < 0 ? cursor.text.length : newline;
    const line = cursor.text.slice(lineStart, lineEnd);
    cursor.at = Math.min(lineEnd + 1, cursor.text.length);
    const plain = stripTabs ? line.replace(/^\t+/, '') : line;
    if (plain === delimiter) return lineStart;
    // in a substitution bash takes `E … )` for the end of the body, and reads on after the delimiter
    if (cursor.depth > 0 && plain.startsWith(delimiter) && plain.includes(')'))
      markHidden(cursor, 'a heredoc in a substitution may end in the middle of a line');
  }
  markUnclear(cursor, `a heredoc is not closed by ${JSON.stringify(delimiter)}`);
  return cursor.text.length;
}
