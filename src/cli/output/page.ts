import path from 'node:path';
import type { World } from '../../system/world.ts';
import type { Writer } from '../../system/writer.ts';
import { type Paint, paintFor } from './colors.ts';
import { columnsOf } from './visibleText.ts';

/** The layout of a report: colored and wrapped on a terminal, plain and unwrapped in a pipe. */
export interface Page {
  readonly paint: Paint;
  readonly width: number;
  /** A file's short path, with its line. */
  place(at: { readonly file: string; readonly line?: number }): string;
  /** Indented text, wrapped between words. */
  block(text: string, indent: number): string;
  /** A name, and beside it its value, wrapped below itself. */
  fact(name: string, value: string): string;
  /**
   * Untrusted text, unchanged, each line after a mark. Long lines are broken here: a terminal would wrap them to its left
   * edge, where hostile text could look like our own.
   */
  quote(text: string, mark: string): string;
}

const NARROWEST = 40;
const NAME_COLUMNS = 11;

export function pageFor(
  writer: Pick<Writer, 'outIsTerminal' | 'columns'>,
  world: Pick<World, 'cwd' | 'homeDir'> & { readonly env: Parameters<typeof paintFor>[1] },
): Page {
  const width = writer.outIsTerminal ? Math.max(NARROWEST, writer.columns) : Number.POSITIVE_INFINITY;
  const lines = (text: string, room: number) => text.split('\n').flatMap((line) => wrappedAt(line, room));
  return {
    paint: paintFor(writer.outIsTerminal, world.env),
    width,
    place: ({ file, line }) => `${shortPath(file, world)}${line === undefined ? '' : `:${line}`}`,
    block: (text, indent) =>
      lines(text, width - indent)
        .map((line) => `${' '.repeat(indent)}${line}`)
        .join('\n'),
    fact: (name, value) =>
      lines(value, width - NAME_COLUMNS)
        .map((line, at) => `${(at === 0 ? name : '').padEnd(NAME_COLUMNS)}${line}`)
        .join('\n'),
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

/** Broken between words. */
export function wrapped(line: string, width: number): readonly string[] {
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

/** Broken between words, and inside one that is longer than a line. */
export const wrappedAt = (line: string, room: number): readonly string[] =>
  wrapped(line, room).flatMap((part) => chunks(part, room));

/** A line in pieces that fit on any terminal: each character counts with its largest possible width. */
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
