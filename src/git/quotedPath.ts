import { ownValue } from '../system/ownValue.ts';

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/**
 * The bytes of a path as git prints it: plain, or in C quotes when it has bytes that an ASCII line cannot carry. Paths
 * stay in git's form, which git reads back byte for byte, and become bytes only for the file system.
 */
export function pathBytes(quoted: string): Buffer {
  if (!quoted.startsWith('"')) return Buffer.from(quoted);
  const pieces = quoted.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs);
  return Buffer.concat(
    [...pieces].map(([, octal, letter, plain]) => {
      if (plain !== undefined) return Buffer.from(plain);
      return Buffer.of(octal === undefined ? (ownValue(ESCAPES, letter) ?? 63) : Number.parseInt(octal, 8));
    }),
  );
}

const LETTERS = new Map(Object.entries(ESCAPES).map(([letter, byte]) => [byte, letter]));
const isPlain = (byte: number) => byte >= 32 && byte < 127 && !LETTERS.has(byte);

/** The bytes of a path as git would print them. */
export function quotePath(bytes: Buffer): string {
  if (bytes.every(isPlain)) return bytes.toString('latin1');
  const escaped = (byte: number) => `\\${LETTERS.get(byte) ?? byte.toString(8).padStart(3, '0')}`;
  return `"${[...bytes].map((byte) => (isPlain(byte) ? String.fromCharCode(byte) : escaped(byte))).join('')}"`;
}

/** The folders above a path, the outermost first. */
export function* foldersAbove(bytes: Buffer): Generator<Buffer> {
  for (let at = bytes.indexOf('/'); at !== -1; at = bytes.indexOf('/', at + 1)) yield bytes.subarray(0, at);
}

/** A path without the slash that git puts after a folder; undefined when it has none. */
export function folderPath(quoted: string): string | undefined {
  const match = /^(.*)\/("?)$/s.exec(quoted);
  return match ? `${match[1]}${match[2]}` : undefined;
}

/** Absolute, as bytes: a string cannot hold a name that is not UTF-8. */
export function absolutePath(topLevel: string, quoted: string): Buffer {
  return Buffer.concat([Buffer.from(`${topLevel}/`), pathBytes(quoted)]);
}

/** For people: as text, or as git quotes it when it has control characters or is not UTF-8. */
export function shownPath(quoted: string): string {
  const text = pathBytes(quoted).toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name may hold a newline, or a terminal's escape code
  return /[\u0000-\u001f\u007f-\u009f\ufffd]/.test(text) ? quoted : text;
}
