import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** Non-blocking, because opening a named pipe would otherwise wait forever. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** What was added to a file since the last call; the first call gives its end. */
export interface FileTail {
  /** `missing`: no regular file. `isNew`: what was read before no longer belongs to it. */
  read(): { readonly type: 'read'; readonly text: string; readonly isNew: boolean } | { readonly type: 'missing' };
}

/** Reads at most `maxBytes` at a time. A file that was emptied or replaced is read from its beginning. */
export function fileTail(file: string, maxBytes: number): FileTail {
  let before: { readonly inode: number; readonly end: number } | null = null;
  let decoder = new StringDecoder('utf8');
  return {
    read: () => {
      let descriptor: number | undefined;
      try {
        descriptor = openSync(file, FLAGS);
        const facts = fstatSync(descriptor);
        if (!facts.isFile()) return { type: 'missing' };
        const isSame = before !== null && before.inode === facts.ino && facts.size >= before.end;
        const from = Math.max(isSame && before !== null ? before.end : 0, facts.size - maxBytes);
        const isNew = !isSame || (before !== null && from > before.end);
        if (isNew) decoder = new StringDecoder('utf8');
        const bytes = Buffer.alloc(Math.max(0, facts.size - from));
        const read = bytes.length === 0 ? 0 : readSync(descriptor, bytes, 0, bytes.length, from);
        before = { inode: facts.ino, end: from + read };
        return { type: 'read', text: decoder.write(bytes.subarray(0, read)), isNew };
      } catch {
        return { type: 'missing' };
      } finally {
        if (descriptor !== undefined) closeSync(descriptor);
      }
    },
  };
}
