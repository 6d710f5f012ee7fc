import { stripVTControlCharacters } from 'node:util';

/** What test runners and compilers begin their bad news with. */
const BAD_NEWS =
  /\b(?:error|errors|fail|fails|failed|failure|failures|panicked|exception|traceback|assert(?:ion)?error|expected|received|undefined reference)\b|^\s*(?:not ok|✗|✕|×|✖|E {2,})|[✗✕✖×]\s/i;
/** Counts of nothing are good news. */
const GOOD_NEWS = /\b(?:0|no) (?:errors?|fail(?:ed|ures?)?)\b/i;
const LONGEST_LINE = 400;
/** Lines around bad news that say where it is. */
const BEFORE = 1;
const AFTER = 3;
/** Part of the lines that always belongs to the end, where totals and the last word are. */
const END_SHARE = 0.4;

/**
 * What an agent needs of a failing check's output in at most so many lines: those with bad news and their neighbours,
 * from the top, and the end. Left out lines are counted where they were.
 */
export function failingPart(output: string, maxLines: number): string {
  const lines = readable(output);
  if (lines.length <= maxLines) return lines.join('\n');
  const keep = new Set<number>();
  const endLines = Math.max(1, Math.ceil(maxLines * END_SHARE));
  for (let index = lines.length - endLines; index < lines.length; index++) keep.add(index);
  for (const index of badNews(lines)) {
    if (keep.size >= maxLines) break;
    keep.add(index);
  }
  // bad news was short: the end gets what is left
  for (let index = lines.length - 1; keep.size < maxLines; index--) keep.add(index);
  return withGaps(lines, keep);
}

function readable(output: string): readonly string[] {
  const lines = stripVTControlCharacters(output)
    .replaceAll('\r\n', '\n')
    .split('\n')
    // progress bars write one line over and over
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line));
  return lines
    .filter((line, index) => line !== '' || lines[index - 1] !== '')
    .slice(0, lines.at(-1) === '' ? -1 : undefined);
}

function* badNews(lines: readonly string[]): Generator<number> {
  for (const [index, line] of lines.entries()) {
    if (!BAD_NEWS.test(line) || GOOD_NEWS.test(line)) continue;
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
    return missing > 0 ? [`[… ${missing} ${missing === 1 ? 'line' : 'lines'} left out]`, line] : [line];
  });
  return shown.join('\n');
}
