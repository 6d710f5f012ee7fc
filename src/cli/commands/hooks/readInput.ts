import { readFile } from 'node:fs/promises';
import type { HookEventName } from '../../../hooks/types.ts';
import { UserError } from '../../../system/userError.ts';
import { checkEventInput, type EventInput, exampleInput } from './eventInput.ts';

const MAX_BYTES = 10_000_000;

/** `--input`: a file, `-` for stdin, or nothing for the example. */
export async function readInput(event: HookEventName, input: string | undefined, cwd: string): Promise<EventInput> {
  if (input === undefined) return exampleInput(event, cwd);
  const text = input === '-' ? await fromStdin() : await fromFile(input);
  return checkEventInput(event, { name: input === '-' ? 'stdin' : input, text }, cwd);
}

async function fromFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UserError(`The input ${file} cannot be read: ${(error as Error).message}.`);
  }
}

async function fromStdin(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Reading JSON from the terminal; end it with Ctrl-D.\n');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new UserError('More than 10 MB came on stdin, which is no input of a hook.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
