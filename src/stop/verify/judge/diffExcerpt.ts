import { beginning } from '../../../system/sentence.ts';

/** What of a diff fits into a question, and what does not. */
export interface DiffExcerpt {
  readonly text: string;
  /** Each in words: `src/big.ts (all but the first 400 of 9000 lines)`. */
  readonly cut: readonly string[];
  readonly files: number;
}

export interface DiffLimits {
  readonly characters: number;
  readonly charactersOfFile: number;
  readonly charactersOfLine: number;
}

/** About 40,000 tokens; a question must fit into the window of a small model. */
const DIFF_LIMITS: DiffLimits = { characters: 120_000, charactersOfFile: 40_000, charactersOfLine: 1_000 };

interface File {
  readonly name: string;
  readonly kept: string[];
  size: number;
  lines: number;
  /** Of `lines`. */
  unreadable: number;
  isBinary: boolean;
}

const MOST_NAMED = 200;
/** More than the limit, so that large files at the beginning leave room for what comes after them. */
const KEPT_TIMES = 30;

/** One NUL in a file does not hide it: a file is binary when so many of its lines have one. */
const BINARY_SHARE = 0.3;
/** For a file that is binary from its beginning, whose room other files need; before that, its end decides. */
const DECIDED_AFTER_LINES = 50;

/** Takes a diff line by line, so that one of any size needs little memory. */
export function diffExcerpt(limits: DiffLimits = DIFF_LIMITS) {
  const files: File[] = [];
  let size = 0;
  return {
    line: (raw: string) => {
      // lines of a file begin with a blank, a plus or a minus
      if (raw.startsWith('diff --git '))
        files.push({ name: nameIn(raw), kept: [], size: 0, lines: 0, unreadable: 0, isBinary: false });
      const file = files.at(-1);
      if (file === undefined || file.isBinary) return;
      file.lines += 1;
      if (raw.includes('\0')) file.unreadable += 1;
      if (file.lines >= DECIDED_AFTER_LINES && isMostlyBinary(file)) size -= dropped(file);
      if (file.isBinary) return;
      const line = shortened(raw.replaceAll(/\0+/g, '\u{FFFD}'), limits);
      const isFull = size + line.length > KEPT_TIMES * limits.characters;
      if (isFull || file.kept.length < file.lines - 1 || file.size + line.length > limits.charactersOfFile) return;
      file.kept.push(line);
      file.size += line.length + 1;
      size += line.length + 1;
    },
    end: (): DiffExcerpt => {
      for (const file of files.filter(isMostlyBinary)) dropped(file);
      return excerptOf(files, limits.characters);
    },
  };
}

/** Without the four lines before its content. */
const HEADER_LINES = 4;
const isMostlyBinary = ({ lines, unreadable }: File) =>
  unreadable > 0 && unreadable >= (lines - HEADER_LINES) * BINARY_SHARE;

/** Returns the room that it took. */
function dropped(file: File): number {
  const { size } = file;
  Object.assign(file, { isBinary: true, size: 0 });
  file.kept.length = 0;
  return size;
}

const shortened = (line: string, { charactersOfLine: most }: DiffLimits) =>
  line.length > most ? `${beginning(line, most)}… (${line.length} characters)` : line;

/** Every file gets the same room; what small ones leave goes to larger ones. A few large files hide nothing else. */
function excerptOf(files: readonly File[], characters: number): DiffExcerpt {
  const roomOf = new Map<File, number>();
  let left = characters;
  for (const [at, file] of files.toSorted((one, other) => one.size - other.size).entries()) {
    const room = Math.min(file.size, Math.floor(left / (files.length - at)));
    roomOf.set(file, room);
    left -= room;
  }
  const shown = files.map((file) => ({ file, lines: linesWithin(file.kept, roomOf.get(file) ?? 0) }));
  const cut = shown.flatMap(({ file, lines }) => describeCut(file, lines.length) ?? []);
  const more = cut.length - MOST_NAMED;
  return {
    text: shown.flatMap(({ lines }) => lines).join('\n'),
    cut: more > 0 ? [...cut.slice(0, MOST_NAMED), `${more} more files`] : cut,
    files: files.length,
  };
}

function linesWithin(lines: readonly string[], room: number): readonly string[] {
  let size = 0;
  const end = lines.findIndex((line) => {
    size += line.length + 1;
    return size > room;
  });
  return end === -1 ? lines : lines.slice(0, end);
}

function describeCut({ name, lines, isBinary }: File, shown: number): string | null {
  if (isBinary) return `${name} (binary)`;
  if (shown === lines) return null;
  return shown === 0 ? `${name} (all ${lines} lines)` : `${name} (all but the first ${shown} of ${lines} lines)`;
}

const nameIn = (line: string) => / b\/(.*)$/.exec(line)?.[1] ?? line.slice('diff --git '.length);
