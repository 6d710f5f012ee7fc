const DEFAULT_LINES = 2000;
const MAX_LINE_CHARACTERS = 2000;
const MAX_PAGE_CHARACTERS = 100_000;

/** One page of a text: for the model `numbered`, with long lines cut, and `notes` on what is not shown. */
export function pageOfLines(text: string, offset = 1, limit = DEFAULT_LINES) {
  const lines = text.split(/\r?\n/);
  const hasLastNewline = lines.at(-1) === '';
  if (hasLastNewline) lines.pop();
  const startLine = Math.max(1, offset);
  const requested = lines.slice(startLine - 1, startLine - 1 + limit);
  const shown: string[] = [];
  let characters = 0;
  for (const [i, line] of requested.entries()) {
    const numberedLine = `${String(startLine + i).padStart(6)}\t${cutLine(line)}`;
    characters += numberedLine.length + 1;
    if (characters > MAX_PAGE_CHARACTERS && shown.length > 0) break;
    shown.push(numberedLine);
  }
  // for hooks, an empty line follows the last newline
  const last = hasLastNewline && text !== '' ? 1 : 0;
  const isToEnd = shown.length > 0 && startLine - 1 + shown.length === lines.length && shown.length < limit ? last : 0;
  return {
    numbered: shown.join('\n'),
    content: requested.slice(0, shown.length).join('\n') + '\n'.repeat(isToEnd),
    numLines: shown.length + isToEnd,
    startLine,
    totalLines: lines.length + last,
    notes: notesOn({ startLine, shown: shown.length, requested: requested.length, total: lines.length }),
  };
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const rest = line.length - MAX_LINE_CHARACTERS;
  return `${line.slice(0, MAX_LINE_CHARACTERS).toWellFormed()} [… ${rest} more characters in this line]`;
}

function notesOn(lines: { startLine: number; shown: number; requested: number; total: number }): string[] {
  const { startLine, shown, requested, total } = lines;
  if (shown === 0) return [`The file has only ${total} lines: line ${startLine} does not exist.`];
  const next = startLine + shown;
  if (next > total) return [];
  const why = shown < requested ? ` (more than ${MAX_PAGE_CHARACTERS} characters)` : '';
  return [`Lines ${startLine} to ${next - 1} of ${total} are shown${why}. Continue with offset ${next}.`];
}
