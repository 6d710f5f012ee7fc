import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { type PasswordPlace as Place, passwordsIn, secretNames } from './secretPolicy.ts';

export type Hiding =
  | { readonly type: 'hidden' | 'nothingToHide' }
  /** `what` other processes can still read; `reason` is a clause. */
  | { readonly type: 'notHidden'; readonly what: readonly string[]; readonly reason: string };

/**
 * Removes the secrets from `/proc/PID/environ`, which every command of the same user can read, and passwords in addresses
 * from `/proc/PID/cmdline`, which every user can. `process.env` and `process.argv` keep them.
 *
 * The kernel shows the bytes that the process was started with. A restart with a clean environment would cost about 40 ms;
 * writing to the process's own memory takes about one.
 */
export function hideOwnSecrets(env: NodeJS.ProcessEnv = process.env, argv: readonly string[] = process.argv): Hiding {
  const names = secretNames(env);
  const addresses = argv.filter((word) => passwordsIn(word).length > 0);
  if (names.length + addresses.length === 0) return { type: 'nothingToHide' };
  try {
    // copies first: the memory of the variables is about to be blanked
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
    // not zeros, which would split the word
    overwrite(memory, words, { find: passwordsIn, with: '*' });
  } finally {
    closeSync(memory);
  }
}

interface Overwriting {
  /** In a text with one character per byte, so that its offsets are those of the memory. */
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

/** Command line and environment: fields 48 to 51 of `/proc/PID/stat`. Its second field may have blanks and parentheses. */
export function memoryBlocks(stat: string): { readonly words: Block; readonly environment: Block } {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [from = 0, to = 0, start = 0, end = 0] = fields.slice(45, 49).map(Number);
  if (!(from > 0 && to > from && start > 0 && end > start)) {
    throw new Error('the system does not show where the environment is in memory');
  }
  return { words: { start: from, end: to }, environment: { start, end } };
}

/** The places of the variables' values among `NAME=value` entries, each ended by a zero byte. */
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
