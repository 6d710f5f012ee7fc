export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each with ` `, `-` or `+` in front. */
  readonly lines: readonly string[];
}

const CONTEXT_LINES = 3;

/** The change from one text to another as one hunk, from the first line that differs to the last. */
export function structuredPatch(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd)) sameAtEnd++;
  const start = Math.max(0, same - CONTEXT_LINES);
  const [oldEnd, newEnd] = [old.length - sameAtEnd, now.length - sameAtEnd];
  const lines = [
    ...old.slice(start, same).map((line) => ` ${line}`),
    ...old.slice(same, oldEnd).map((line) => `-${line}`),
    ...now.slice(same, newEnd).map((line) => `+${line}`),
    ...old.slice(oldEnd, oldEnd + CONTEXT_LINES).map((line) => ` ${line}`),
  ];
  const count = (other: string) => lines.filter((line) => !line.startsWith(other)).length;
  return [hunk(start, count('+'), count('-'), lines)];
}

/** A side without lines starts at 0, as in every diff. */
function hunk(start: number, oldLines: number, newLines: number, lines: readonly string[]): Hunk {
  const at = (count: number) => (count === 0 ? start : start + 1);
  return { oldStart: at(oldLines), oldLines, newStart: at(newLines), newLines, lines };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
