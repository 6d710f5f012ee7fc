import { fstatSync } from 'node:fs';
import { UserError } from './userError.ts';

const MAX_STDIN_BYTES = 10_000_000;
/** A supervisor may leave stdin open and silent for ever; with a prompt at hand that is not worth waiting for. */
const FIRST_BYTE_MS = 3_000;

/** What was piped in, if anything. Only pipes, sockets and files are read, so that an idle terminal cannot hang us. */
export async function readStdin(hasPrompt: boolean, warn: (sentence: string) => void): Promise<string | undefined> {
  if (process.stdin.isTTY || !isReadable()) return undefined;
  if (hasPrompt && !(await firstByteCame())) {
    warn('Nothing came on stdin for 3 s, so it is left alone; redirect it from /dev/null to start at once.');
    return undefined;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_STDIN_BYTES)
      throw new UserError('More than 10 MB came on stdin; put it in a file and name the file.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function firstByteCame(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), FIRST_BYTE_MS);
  process.stdin.once('readable', () => resolve(true));
  process.stdin.once('end', () => resolve(true));
  return promise.finally(() => clearTimeout(timer));
}

function isReadable(): boolean {
  try {
    const facts = fstatSync(0);
    return facts.isFIFO() || facts.isSocket() || facts.isFile();
  } catch {
    return false;
  }
}
