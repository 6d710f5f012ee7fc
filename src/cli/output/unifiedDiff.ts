import type { Paint } from './colours.ts';

interface Line {
  readonly type: 'same' | 'gone' | 'new';
  readonly text: string;
}

const CONTEXT = 3;
const SIGNS = { same: ' ', gone: '-', new: '+' } as const;

export interface DiffSides {
  readonly name: string;
  /** Null for a file that is not there. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What a change does to a text, as `diff -u` shows it; empty when it does nothing. */
export function unifiedDiff({ name, before, after }: DiffSides, paint: Paint): string {
  const lines = compared(linesOf(before), linesOf(after));
  if (lines.every(({ type }) => type === 'same') && (before === null) === (after === null)) return '';
  const heads = [`--- ${before === null ? '/dev/null' : name}`, `+++ ${after === null ? '/dev/null' : name}`];
  const text = [
    ...heads.map((head) => paint('bold', head)),
    ...hunksOf(lines).map((hunk) => hunkText(lines, hunk, paint)),
  ];
  return `${text.join('\n')}\n`;
}

/** A last line without its line break is said to have none, as `diff` does. */
function linesOf(text: string | null): readonly string[] {
  if (!text) return [];
  const lines = text.split('\n');
  const last = lines.pop();
  return last ? [...lines, `${last}\n\\ No newline at end of file`] : lines;
}

/** Longest common subsequence over what is left between the common beginning and end: settings files are small. */
function compared(a: readonly string[], b: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = (text: string): Line => ({ type: 'same', text });
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
}

function middle(a: readonly string[], b: readonly string[]): readonly Line[] {
  const common = commonLengths(a, b);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ type: 'same', text: a[i++] ?? '' });
      j++;
    } else if (j >= b.length || (i < a.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ type: 'gone', text: a[i++] ?? '' });
    } else lines.push({ type: 'new', text: b[j++] ?? '' });
  }
  return lines;
}

/** How many lines the rests from `[i]` and `[j]` on have in common. */
function commonLengths(a: readonly string[], b: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row = [], below = []] = [table[i], table[i + 1]];
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

type Hunk = readonly [from: number, to: number];

function hunksOf(lines: readonly Line[]): readonly Hunk[] {
  const hunks: [number, number][] = [];
  for (const [index, { type }] of lines.entries()) {
    if (type === 'same') continue;
    const [from, to] = [Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1)];
    const last = hunks.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

function hunkText(lines: readonly Line[], [from, to]: Hunk, paint: Paint): string {
  const range = (other: Line['type']) => {
    const start = lines.slice(0, from).filter(({ type }) => type !== other).length;
    const count = lines.slice(from, to).filter(({ type }) => type !== other).length;
    return `${count === 0 ? start : start + 1},${count}`;
  };
  const head = paint('cyan', `@@ -${range('new')} +${range('gone')} @@`);
  const colour = { same: 'reset', gone: 'red', new: 'green' } as const;
  const body = lines.slice(from, to).map(({ type, text }) => {
    const line = SIGNS[type] + text;
    return type === 'same' ? line : paint(colour[type], line);
  });
  return [head, ...body].join('\n');
}
