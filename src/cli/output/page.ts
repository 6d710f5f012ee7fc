import path from 'node:path';
import type { World } from '../../system/world.ts';
import type { Writer } from '../../system/writer.ts';
import { type Paint, paintFor } from './colors.ts';
import { columnsOf } from './visibleText.ts';

/** How a report is laid out: painted and fitted to its width on a terminal, plain and whole in a pipe. */
export interface Page {
  readonly paint: Paint;
  readonly width: number;
  /** A file as a person would write it, with its line. */
  place(at: { readonly file: string; readonly line?: number }): string;
  /** Text under an indent, broken between words where it is wider than the page. */
  block(text: string, indent: number): string;
  /**
   * What others wrote, as they wrote it, every line after a mark. A terminal would wrap a long line to its left edge,
   * where a hostile one could look like words of ours; so it is broken here.
   */
  quote(text: string, mark: string): string;
}

const NARROWEST = 40;

export function pageFor(
  writer: Pick<Writer, 'outIsTerminal' | 'columns'>,
  world: Pick<World, 'cwd' | 'homeDir' | 'env'>,
): Page {
  const width = writer.outIsTerminal ? Math.max(NARROWEST, writer.columns) : Number.POSITIVE_INFINITY;
  return {
    paint: paintFor(writer.outIsTerminal, world.env),
    width,
    place: ({ file, line }) => `${shortPath(file, world)}${line === undefined ? '' : `:${line}`}`,
    block: (text, indent) => {
      const lines = text
        .split('\n')
        .flatMap((line) => wrapped(line, width - indent))
        .flatMap((line) => chunks(line, width - indent));
      return lines.map((line) => `${' '.repeat(indent)}${line}`).join('\n');
    },
    quote: (text, mark) => {
      const room = width - mark.length;
      return text
        .split('\n')
        .flatMap((line) => chunks(line, room))
        .map((line) => `${mark}${line}`)
        .join('\n');
    },
  };
}

function shortPath(file: string, { cwd, homeDir }: Pick<World, 'cwd' | 'homeDir'>): string {
  const inside = (folder: string) => file.startsWith(`${folder}${path.sep}`);
  if (inside(cwd)) return path.relative(cwd, file);
  return inside(homeDir) ? path.join('~', path.relative(homeDir, file)) : file;
}

function wrapped(line: string, width: number): readonly string[] {
  if (line.length <= width) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** A line in pieces that surely fit: nothing counts as narrower than any terminal shows it, marks and flags included. */
function chunks(line: string, room: number): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const character of line) {
    const columns = Math.max(character.length, columnsOf(character));
    if (used + columns > room) {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += character;
    used += columns;
  }
  return [...pieces, piece];
}
