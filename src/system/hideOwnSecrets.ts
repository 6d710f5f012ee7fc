import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { type PasswordPlace as Place, passwordsIn, secretNames } from './secretPolicy.ts';

export type Hiding =
  | { readonly type: 'hidden' | 'nothingToHide' }
  /** What other processes can still read, and why, as a clause. */
  | { readonly type: 'notHidden'; readonly what: readonly string[]; readonly reason: string };

/**
 * Takes the secrets out of what the system shows of this process: `/proc/PID/environ`, which every command of the same user can
 * read, and passwords in addresses out of `/proc/PID/cmdline`, which every user can. `process.env` and `process.argv` keep them.
 *
 * The kernel shows the bytes that the process was started with, whatever happens to its variables. Starting again with a clean
 * environment would cost some 40 ms at each start, and the values would have to be handed over; a process may instead write
 * to its own memory, which takes about one.
 */
export function hideOwnSecrets(env: NodeJS.ProcessEnv = process.env, argv: readonly string[] = process.argv): Hiding {
  const names = secretNames(env);
  const addresses = argv.filter((word) => passwordsIn(word).length > 0);
  if (names.length + addresses.length === 0) return { type: 'nothingToHide' };
  try {
    // copies first: what the variables point to is about to be blank
    for (const name of names) moveToHeap(name, env);
    blank(readFileSync('/proc/self/stat', 'latin1'), new Set(names));
    return { type: 'hidden' };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no /proc on this system' : (code ?? message);
    const what = [...names, ...(addresses.length > 0 ? ['the password among the arguments'] : [])];
    return { type: 'notHidden', what, reason };
  }
}

function moveToHeap(name: string, env: NodeJS.ProcessEnv): void {
  const value = env[name];
  delete env[name];
  env[name] = value;
}

function blank(stat: string, names: ReadonlySet<string>): void {
  const { words, environment } = memoryBlocks(stat);
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    overwrite(memory, environment, { find: (bytes) => valuesIn(bytes, names), with: 0 });
    // not zeros: they would end the word, and what follows would be another
    overwrite(memory, words, { find: passwordsIn, with: '*' });
  } finally {
    closeSync(memory);
  }
}

interface Overwriting {
  /** In a text whose characters are bytes, so that its places are those of the memory. */
  find(bytes: string): readonly Place[];
  readonly with: number | string;
}

function overwrite(memory: number, { start, end }: Block, { find, with: filler }: Overwriting): void {
  const block = Buffer.alloc(end - start);
  readSync(memory, block, 0, block.length, start);
  for (const { at, length } of find(block.toString('latin1'))) {
    const written = writeSync(memory, Buffer.alloc(length, filler), 0, length, start + at);
    if (written < length) throw new Error('the memory of this process could not be written');
  }
}

interface Block {
  readonly start: number;
  readonly end: number;
}

/** Where command line and environment are: fields 48 to 51 of `/proc/PID/stat`, whose second may hold blanks and parentheses. */
export function memoryBlocks(stat: string): { readonly words: Block; readonly environment: Block } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [from = 0, to = 0, start = 0, end = 0] = fields.slice(45, 49).map(Number);
  if (!(from > 0 && to > from && start > 0 && end > start)) {
    throw new Error('the system does not show where the environment is in memory');
  }
  return { words: { start: from, end: to }, environment: { start, end } };
}

/** The places of the values of these variables among `NAME=value` entries, each ended by a zero. */
export function valuesIn(bytes: string, names: ReadonlySet<string>): readonly Place[] {
  const found: Place[] = [];
  let at = 0;
  for (const entry of bytes.split('\0')) {
    const sign = entry.indexOf('=');
    if (sign !== -1 && names.has(asText(entry.slice(0, sign)))) {
      found.push({ at: at + sign + 1, length: entry.length - sign - 1 });
    }
    at += entry.length + 1;
  }
  return found;
}

/** Names are ASCII, with rare exceptions. */
const asText = (bytes: string) => (/[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes);
