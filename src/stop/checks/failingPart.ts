import { stripVTControlCharacters } from 'node:util';

/** What test runners and compilers print for failures. */
const FAILURE =
  /\b(?:error|errors|fail|fails|failed|failure|failures|panicked|exception|traceback|assert(?:ion)?error|expected|received|undefined reference)\b|^\s*(?:not ok|✗|✕|×|✖|E {2,})|[✗✕✖×]\s/i;
/** Counts of zero. */
const NO_FAILURE = /\b(?:0|no) (?:errors?|fail(?:ed|ures?)?)\b/i;
const LONGEST_LINE = 400;
/** Lines of context around a failure. */
const BEFORE = 1;
const AFTER = 3;
/** The part of the lines reserved for the end of the output, where the totals are. */
const END_SHARE = 0.4;

/**
 * The part of a failing check's output that an agent needs: lines with failures and their neighbors, from the top, and the
 * end. Omitted lines are counted in their place.
 */
export function failingPart(output: string, maxLines: number): string {
  const lines = readable(output);
  if (lines.length <= maxLines) return lines.join('\n');
  const keep = new Set<number>();
  const endLines = Math.max(1, Math.ceil(maxLines * END_SHARE));
  for (let index = lines.length - endLines; index < lines.length; index++) keep.add(index);
  for (const index of failureLines(lines)) {
    if (keep.size >= maxLines) break;
    keep.add(index);
  }
  // few failures: the end gets the remaining lines
  for (let index = lines.length - 1; keep.size < maxLines; index--) keep.add(index);
  return withGaps(lines, keep);
}

function readable(output: string): readonly string[] {
  const lines = stripVTControlCharacters(output)
    .replaceAll('\r\n', '\n')
    .split('\n')
    // progress bars overwrite their line
    .map((line) => shownLine(line.slice(line.lastIndexOf('\r') + 1).trimEnd()));
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .slice(0, lines.at(-1) === '' ? -1 : undefined);
}

/** A line as it is shown. */
export const shownLine = (line: string): string =>
  line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line;

/** Whether a line reports a failure, by its words. */
export const isFailureLine = (line: string): boolean => FAILURE.test(line) && !NO_FAILURE.test(line);

function* failureLines(lines: readonly string[]): Generator<number> {
  for (const [index, line] of lines.entries()) {
    if (!isFailureLine(line)) continue;
    const last = Math.min(lines.length - 1, index + AFTER);
    for (let near = Math.max(0, index - BEFORE); near <= last; near++) yield near;
  }
}

function withGaps(lines: readonly string[], keep: ReadonlySet<number>): string {
  const kept = [...keep].sort((a, b) => a - b);
  let before = -1;
  const shown = kept.flatMap((index) => {
    const missing = index - before - 1;
    before = index;
    const line = lines[index] ?? '';
    return missing > 0 ? [`[… ${missing} ${missing === 1 ? 'line' : 'lines'} omitted]`, line] : [line];
  });
  return shown.join('\n');
}
