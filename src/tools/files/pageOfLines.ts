const DEFAULT_LINES = 2000;
const MAX_LINE_CHARACTERS = 2000;
const MAX_PAGE_CHARACTERS = 100_000;

export interface PageOfLines {
  /** Numbered from `startLine`, long lines cut; what the model reads. */
  readonly numbered: string;
  /** The same lines as they are in the file. */
  readonly content: string;
  readonly numLines: number;
  readonly startLine: number;
  readonly totalLines: number;
  /** Sentences on what is not shown. */
  readonly notes: readonly string[];
}

/** The part of a text that is shown at once. */
export function pageOfLines(text: string, offset = 1, limit = DEFAULT_LINES): PageOfLines {
  const lines = text.split(/\r?\n/);
  const hasLastNewline = lines.at(-1) === '';
  if (hasLastNewline) lines.pop();
  const startLine = Math.max(1, offset);
  const asked = lines.slice(startLine - 1, startLine - 1 + limit);
  const shown: string[] = [];
  let characters = 0;
  for (const [i, line] of asked.entries()) {
    const numberedLine = `${String(startLine + i).padStart(6)}\t${cutLine(line)}`;
    characters += numberedLine.length + 1;
    if (characters > MAX_PAGE_CHARACTERS && shown.length > 0) break;
    shown.push(numberedLine);
  }
  // Hooks are given what is behind the last newline as one more line, empty as it is.
  const last = hasLastNewline && text !== '' ? 1 : 0;
  const isToEnd = shown.length > 0 && startLine - 1 + shown.length === lines.length && shown.length < limit ? last : 0;
  return {
    numbered: shown.join('\n'),
    content: asked.slice(0, shown.length).join('\n') + '\n'.repeat(isToEnd),
    numLines: shown.length + isToEnd,
    startLine,
    totalLines: lines.length + last,
    notes: notesOn({ startLine, shown: shown.length, asked: asked.length, total: lines.length }),
  };
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const rest = line.length - MAX_LINE_CHARACTERS;
  return `${line.slice(0, MAX_LINE_CHARACTERS).toWellFormed()} [… ${rest} more characters in this line]`;
}

function notesOn(lines: { startLine: number; shown: number; asked: number; total: number }): string[] {
  const { startLine, shown, asked, total } = lines;
  if (shown === 0) return [`The file has ${total} lines: there is nothing at line ${startLine}.`];
  const next = startLine + shown;
  if (next > total) return [];
  const why = shown < asked ? ` (more than ${MAX_PAGE_CHARACTERS} characters)` : '';
  return [`Lines ${startLine} to ${next - 1} of ${total} are shown${why}. Read on with offset ${next}.`];
}
