const DEFAULT_LINES = 2000;
const MAX_LINE_CHARACTERS = 2000;
const MAX_PAGE_CHARACTERS = 100_000;

/** One page of a text: for the model `numbered`, with long lines cut, and `notes` on what is not shown. */
export function pageOfLines(text: string, offset = 1, wanted?: number) {
  const limit = wanted ?? DEFAULT_LINES;
  const lines = text.split(/\r?\n/);
  const hasLastNewline = lines.at(-1) === '';
  if (hasLastNewline) lines.pop();
  const startLine = Math.max(1, offset);
  const requested = lines.slice(startLine - 1, startLine - 1 + limit);
  const shown: string[] = [];
  let characters = 0;
  for (const [i, line] of requested.entries()) {
    const numberedLine = `${startLine + i}\t${cutLine(line)}`;
    characters += numberedLine.length + 1;
    if (characters > MAX_PAGE_CHARACTERS && shown.length > 0) break;
    shown.push(numberedLine);
  }
  const last = hasLastNewline && text !== '' ? 1 : 0;
  // as in Claude Code, an empty line follows the last newline
  const isToEnd = shown.length > 0 && startLine - 1 + shown.length === lines.length && shown.length < limit ? last : 0;
  return {
    numbered: [...shown, ...(isToEnd ? [`${startLine + shown.length}\t`] : [])].join('\n'),
    content: requested.slice(0, shown.length).join('\n') + '\n'.repeat(isToEnd),
    numLines: shown.length + isToEnd,
    startLine,
    totalLines: lines.length + last,
    notes: notesOn({
      startLine,
      shown: shown.length,
      requested: requested.length,
      total: lines.length,
      last,
      isWanted: wanted !== undefined,
    }),
  };
}

function cutLine(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  const rest = line.length - MAX_LINE_CHARACTERS;
  return `${line.slice(0, MAX_LINE_CHARACTERS).toWellFormed()} [… ${rest} more characters in this line]`;
}

interface PageFacts {
  readonly startLine: number;
  readonly shown: number;
  readonly requested: number;
  /** Lines of the file, without the empty one after its last newline. */
  readonly total: number;
  /** That empty line: 1 or 0. */
  readonly last: number;
  /** The model asked for this many lines, and knows that there may be more. */
  readonly isWanted: boolean;
}

function notesOn({ startLine, shown, requested, total, last, isWanted }: PageFacts): string[] {
  if (shown === 0) return [shorterThan(startLine, total + last)];
  const next = startLine + shown;
  const isCut = shown < requested;
  if (next > total || (isWanted && !isCut)) return [];
  const why = isCut ? ` (more than ${MAX_PAGE_CHARACTERS} characters)` : '';
  return [`Lines ${startLine} to ${next - 1} of ${total} are shown${why}. Continue with offset ${next}.`];
}

const shorterThan = (offset: number, lines: number) =>
  `<system-reminder>Warning: the file exists but is shorter than the provided offset (${offset}). The file has ${lines} lines.</system-reminder>`;
