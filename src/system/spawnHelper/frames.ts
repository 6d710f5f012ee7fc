import type { ChildSpec } from '../childStarter.ts';

/**
 * What Stopgate and its spawn helper say to each other; the script tells what each type means.
 *
 * A frame is the length of its payload (32 bits), a type (one letter), the command it is about (32 bits), the payload.
 */
const HEADER_BYTES = 9;

/** Input that travels in one frame; the helper asks for more, so it never holds more than this for a command. */
const INPUT_BYTES = 65_536;

export function frame(type: string, command: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  bytes.writeUInt32BE(payload.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.writeUInt32BE(command, 5);
  payload.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** What a command reads from its stdin, in pieces that fit into a frame. */
export class InputPieces {
  readonly #bytes: Buffer | undefined;
  #sent = 0;

  constructor(input: string | undefined) {
    this.#bytes = input === undefined ? undefined : Buffer.from(input);
  }

  /** Its first letter says whether there is no stdin at all, whether this is the last piece, or whether more follows. */
  next(): { readonly kind: 'n' | 'w' | 'p'; readonly piece: Buffer } {
    if (!this.#bytes) return { kind: 'n', piece: Buffer.alloc(0) };
    const piece = this.#bytes.subarray(this.#sent, this.#sent + INPUT_BYTES);
    this.#sent += piece.length;
    return { kind: this.#sent === this.#bytes.length ? 'w' : 'p', piece };
  }
}

export function runFrame(command: number, { cwd, file, args }: ChildSpec, input: InputPieces): Buffer {
  const { kind, piece } = input.next();
  const words = Buffer.from(`${[cwd, file, ...args].join('\0')}\0`);
  const start = Buffer.alloc(5, kind);
  start.writeUInt32BE(words.length, 1);
  return frame('R', command, Buffer.concat([start, words, piece]));
}

export function inputFrame(command: number, input: InputPieces): Buffer {
  const { kind, piece } = input.next();
  return frame('I', command, Buffer.concat([Buffer.from(kind), piece]));
}

/** What turns one environment into the other; undefined when they are the same, as they nearly always are. */
export function environmentFrame(before: ChildSpec['env'], after: ChildSpec['env']): Buffer | undefined {
  const unset = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const names = Object.keys(after).filter((name) => after[name] !== before[name]);
  const entries = [...unset, ...names.map((name) => `${name}=${after[name]}`)];
  if (entries.length === 0) return undefined;
  return frame('E', 0, Buffer.from(entries.map((entry) => `${entry}\0`).join('')));
}

/** No list of arguments that a kernel takes is longer. */
const LONGEST_WORDS = 4 * 1024 * 1024;

/** False for what the frames cannot carry; a plain spawn refuses it, too, and says why. */
export function canTravel({ cwd, file, args, env }: ChildSpec): boolean {
  const words = [cwd, file, ...args];
  if (words.reduce((sum, word) => sum + word.length, 0) > LONGEST_WORDS) return false;
  if (words.some((word) => word.includes('\0'))) return false;
  return travelling.has(env) || environmentCanTravel(env);
}

/** Environments that can travel and cannot change. */
const travelling = new WeakSet<ChildSpec['env']>();

function environmentCanTravel(env: ChildSpec['env']): boolean {
  const canTravel = Object.entries(env).every(([name, value]) => !/[=\0]/.test(name) && !value.includes('\0'));
  if (canTravel && Object.isFrozen(env)) travelling.add(env);
  return canTravel;
}
