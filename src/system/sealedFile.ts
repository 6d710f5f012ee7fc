import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writePrivateFile } from './atomicFile.ts';
import { attempt } from './attempt.ts';
import { createOnce } from './createOnce.ts';
import { readByteFileSync, readTextFile, readTextFileSync, type TextFile } from './readTextFile.ts';

export type SealedText =
  | { readonly type: 'sealed'; readonly text: string }
  | { readonly type: 'missing' }
  /** Written by hand, edited, or copied from another name. */
  | { readonly type: 'changed' };

const LARGEST_BYTES = 64_000_000;
const KEY_BYTES = 32;

/**
 * A record that only Stopgate writes: its last line is a keyed hash of the rest and of its place. The key belongs to the same user,
 * so this shows what was made by hand; it does not stop a program that reads the key. `home` is the folder of all records.
 */
export async function writeSealedFile(home: string, file: string, text: string): Promise<void> {
  await writePrivateFile(file, sealedText(home, file, text));
}

/** What such a file contains, for a record that may be lost. */
export const sealedText = (home: string, file: string, text: string): string =>
  `${text}\n${sealOf(keyOf(home), home, file, text)}\n`;

export async function readSealedFile(home: string, file: string): Promise<SealedText> {
  return opened(home, file, await readTextFile(file, LARGEST_BYTES));
}

/** For a record that is read at every event. `as`: the name that it was written under, if it was moved. */
export function readSealedFileSync(home: string, file: string, as = file): SealedText {
  return opened(home, as, readTextFileSync(file, LARGEST_BYTES));
}

function opened(home: string, file: string, read: TextFile): SealedText {
  if (read.type === 'missing') return { type: 'missing' };
  const [, text, seal] =
    read.type === 'read' && !read.cut ? (/^([\s\S]*)\n([0-9a-f]{64})\n$/.exec(read.text) ?? []) : [];
  if (text === undefined || seal === undefined) return { type: 'changed' };
  // hooks read these: without a key, and no place for one, nothing is sealed
  const key = attempt(() => keyOf(home), null);
  if (key === null) return { type: 'changed' };
  const wanted = Buffer.from(sealOf(key, home, file, text));
  return timingSafeEqual(wanted, Buffer.from(seal)) ? { type: 'sealed', text } : { type: 'changed' };
}

const sealOf = (key: Buffer, home: string, file: string, text: string) =>
  createHmac('sha256', key)
    .update(`${path.relative(home, file)}\0${text}`)
    .digest('hex');

/** Created on first use. */
function keyOf(home: string): Buffer {
  const file = path.join(home, 'keys', 'seal');
  const known = readByteFileSync(file, KEY_BYTES);
  if (known.type === 'read') return known.bytes;
  // a key that cannot be read fits no seal, and none replaces it
  if (known.type === 'unreadable') return randomBytes(KEY_BYTES);
  createOnce(file, randomBytes(KEY_BYTES));
  return readFileSync(file);
}
