import type { Paint } from './colors.ts';
import { columnsOf, oneLine } from './visibleText.ts';

export interface Cell {
  readonly text: string;
  readonly style?: Parameters<Paint>[0];
}

export interface TableLayout {
  readonly paint: Paint;
  /** Infinite in a pipe, where nothing is cut. */
  readonly width: number;
  readonly titles: readonly string[];
}

const GAP = '  ';

/** Rows under titles. The last column is cut to the remaining width; the others are as wide as their content. */
export function tableText({ paint, width, titles }: TableLayout, rows: readonly (readonly Cell[])[]): string {
  const shown = rows.map((row) => row.map((cell) => ({ ...cell, text: oneLine(cell.text) })));
  const widths = titles.map((title, column) =>
    Math.max(title.length, ...shown.map((row) => columnsOf(row[column]?.text ?? ''))),
  );
  const last = titles.length - 1;
  const before = widths.slice(0, last).reduce((sum, column) => sum + column + GAP.length, 0);
  const room = Math.max(12, width - before);
  const line = (cells: readonly Cell[]) =>
    cells
      .map(({ text, style }, column) => {
        const cut = column === last ? oneLine(text, room) : padded(text, widths[column] ?? 0);
        return style ? paint(style, cut) : cut;
      })
      .join(GAP)
      .trimEnd();
  const heading = line(titles.map((text) => ({ text, style: 'bold' })));
  return [heading, ...shown.map(line)].join('\n');
}

const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - columnsOf(text)));
