import { createHash } from 'node:crypto';

/** How git itself converts one file between its object and the disk. */
export interface Conversion {
  /** `auto`: only where it looks like text. */
  readonly text: 'yes' | 'auto' | 'no';
  /** The line ends that a checkout writes. */
  readonly eol: 'lf' | 'crlf';
  /** `$Id$` becomes `$Id: <object> $`. */
  readonly ident: boolean;
}

export interface StoredFile {
  readonly bytes: Buffer;
  /** The object that git considers equal to the file. */
  readonly object: string;
}

/**
 * Whether a file that git considers unchanged holds exactly what a checkout would write, so that it need not be kept.
 * False when that is not certain.
 */
export function isAsCheckedOut({ bytes, object }: StoredFile, conversion: Conversion): boolean {
  const stored = storedContent({ bytes, object }, conversion);
  if (stored === undefined) return false;
  const named = conversion.ident ? expandIdent(stored, object) : stored;
  return toWorktree(named, conversion).equals(bytes);
}

/** Git's object name for a file's bytes, by the algorithm (SHA-1 or SHA-256) of another name in the repository. */
export function objectId(bytes: Buffer, like: string): string {
  const algorithm = like.length === 64 ? 'sha256' : 'sha1';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The object's content, derived from the file; undefined when none of git's own conversions produces it. */
function storedContent({ bytes, object }: StoredFile, { ident }: Conversion): Buffer | undefined {
  const plain = ident ? collapseIdent(bytes) : bytes;
  return [plain, withoutCarriageReturns(plain)].find((candidate) => objectId(candidate, object) === object);
}

const latin1 = (bytes: Buffer, change: (text: string) => string) =>
  Buffer.from(change(bytes.toString('latin1')), 'latin1');

const withoutCarriageReturns = (bytes: Buffer) => latin1(bytes, (text) => text.replaceAll('\r\n', '\n'));
const collapseIdent = (bytes: Buffer) => latin1(bytes, (text) => text.replaceAll(/\$Id:[^$\n]*\$/g, '$$Id$$'));
const expandIdent = (bytes: Buffer, object: string) =>
  latin1(bytes, (text) => text.replaceAll(/\$Id(?::[^$\n]*)?\$/g, `$$Id: ${object} $$`));

/** As git's `crlf_to_worktree`. */
function toWorktree(content: Buffer, { text, eol }: Conversion): Buffer {
  if (text === 'no' || eol === 'lf') return content;
  // with `auto`, content with carriage returns and binary content stay as they are
  if (text === 'auto' && (content.includes('\r') || looksBinary(content))) return content;
  return latin1(content, (all) => all.replaceAll(/(?<!\r)\n/g, '\r\n'));
}

const PRINTABLE_CONTROLS = new Set([8, 9, 10, 12, 13, 27]);
const END_OF_FILE = 26;

/** As git's `gather_stats`: a zero byte, or more than one odd byte in 128. */
function looksBinary(content: Buffer): boolean {
  if (content.includes(0)) return true;
  let odd = content.at(-1) === END_OF_FILE ? -1 : 0;
  let ends = 0;
  for (const byte of content) {
    if (byte === 127 || (byte < 32 && !PRINTABLE_CONTROLS.has(byte))) odd++;
    if (byte === 10 || byte === 13) ends++;
  }
  return (content.length - ends - Math.max(0, odd)) >> 7 < odd;
}
