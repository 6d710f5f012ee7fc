import { isUtf8 } from 'node:buffer';

/** How a text is stored, to store its changed version the same way. */
export interface TextShape {
  readonly encoding: 'utf8' | 'utf16le' | 'latin1';
  readonly hasByteOrderMark: boolean;
  /** Whether every line ends in CRLF. */
  readonly usesCrlf: boolean;
}

export interface TextFile {
  /** Without the byte order mark, with its original line ends. */
  readonly text: string;
  readonly shape: TextShape;
}

const NUL_SEARCH_BYTES = 8192;
const BYTE_ORDER_MARK = '\uFEFF';

/** Null for binary content. */
export function decodeText(bytes: Buffer): TextFile | null {
  const encoding = encodingOf(bytes);
  if (encoding === null) return null;
  const decoded = bytes.toString(encoding);
  const hasByteOrderMark = decoded.startsWith(BYTE_ORDER_MARK);
  const text = hasByteOrderMark ? decoded.slice(1) : decoded;
  return { text, shape: { encoding, hasByteOrderMark, usesCrlf: usesCrlf(text) } };
}

/** Encodes like the original file; UTF-8 if its encoding lacks a character. */
export function encodeText(text: string, { encoding, hasByteOrderMark }: TextShape): Buffer {
  const whole = hasByteOrderMark && !text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text;
  const bytes = Buffer.from(whole, encoding);
  return encoding === 'latin1' && bytes.toString('latin1') !== whole ? Buffer.from(whole, 'utf8') : bytes;
}

/** With the line ends of the file, if it has only one kind. */
export function withLineEndsOf(shape: TextShape, text: string): string {
  return shape.usesCrlf ? text.replace(/\r?\n/g, '\r\n') : text;
}

function encodingOf(bytes: Buffer): TextShape['encoding'] | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf16le';
  if (bytes.subarray(0, NUL_SEARCH_BYTES).includes(0)) return null;
  // in Latin 1 every byte is a character, so unchanged parts stay the same
  return isUtf8(bytes) ? 'utf8' : 'latin1';
}

function usesCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
}
