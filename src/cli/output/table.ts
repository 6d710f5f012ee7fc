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

/** One column of a table: its title, and its cell in each row. */
export interface Column<Row> {
  readonly title: string;
  /** Left out where the terminal is narrow. */
  readonly isSpare?: boolean;
  cell(row: Row): Cell;
}

const WIDE = 100;

/** A table by its columns. */
export function columnsText<Row>(
  page: Pick<TableLayout, 'paint' | 'width'> & Partial<ListPage>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  const { paint, width, block } = page;
  const shown = columns.filter(({ isSpare }) => !isSpare || width >= WIDE);
  const cells = rows.map((row) => shown.map(({ cell }) => cell(row)));
  const titles = shown.map(({ title }) => title);
  // a layout without a way to wrap is that of a screen which is repainted line by line
  return block === undefined
    ? tableText({ paint, width, titles }, cells)
    : tableOrList({ paint, width, block }, titles, cells);
}

/** Columns that do not fit beside each other are read one below the other. */
export const NARROW = 60;

/** A table, or on a narrow terminal a list: the first cell of each row, and below it the others with their titles. */
export function tableOrList(page: ListPage, titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const { paint, width } = page;
  if (width >= NARROW) return tableText({ paint, width, titles }, rows);
  return rows.map((row) => listedRow(page, titles, row)).join('\n');
}

type ListPage = Pick<TableLayout, 'paint' | 'width'> & { block(text: string, indent: number): string };

function listedRow({ paint, block }: ListPage, titles: readonly string[], row: readonly Cell[]): string {
  const lines = row.flatMap(({ text, style }, at) => {
    const shown = oneLine(text);
    if (at > 0 && shown === '') return [];
    const words = at === 0 ? block(shown, 0) : block(`${(titles[at] ?? '').toLowerCase()}: ${shown}`, 2);
    return [paint(style ?? (at === 0 ? 'bold' : 'reset'), words)];
  });
  return lines.join('\n');
}

const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - columnsOf(text)));
