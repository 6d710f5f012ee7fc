import type { Readable } from 'node:stream';
import type { ChildSpec } from '../childStarter.ts';

/**
 * Messages between Stopgate and its spawn helper; the script documents each type.
 *
 * A frame is the length of its payload (32 bits), a type (one letter), the number of its command (32 bits), the payload.
 */
const HEADER_BYTES = 9;

/** The most input in one frame; the helper requests more, so it never holds more than this for a command. */
const INPUT_BYTES = 65_536;

export function frame(type: string, command: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  bytes.writeUInt32BE(payload.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.writeUInt32BE(command, 5);
  payload.copy(bytes, HEADER_BYTES);
  return bytes;
}

const NOTHING = Buffer.alloc(0);

/** Kinds: without stdin (n), the last piece (w), more follows (p). */
export interface InputPiece {
  readonly kind: 'n' | 'w' | 'p';
  readonly piece: Buffer;
}

/** The stdin of a command, in pieces that fit into a frame. */
export interface InputSource {
  /** Sent with the command itself, so it cannot wait. */
  first(): InputPiece;
  next(): InputPiece | Promise<InputPiece>;
  /** Called when the command has ended. */
  close(): void;
}

export function inputSource(input: ChildSpec['input']): InputSource {
  if (input === undefined) return { first: () => NO_INPUT, next: () => NO_INPUT, close: () => {} };
  return typeof input === 'string' ? textInput(Buffer.from(input)) : streamInput(input);
}

const NO_INPUT: InputPiece = { kind: 'n', piece: NOTHING };

function textInput(bytes: Buffer): InputSource {
  let sent = 0;
  const next = (): InputPiece => {
    const piece = bytes.subarray(sent, sent + INPUT_BYTES);
    sent += piece.length;
    return { kind: sent === bytes.length ? 'w' : 'p', piece };
  };
  return { first: next, next, close: () => {} };
}

/**
 * No part of a stream is sent with the command: if the helper breaks before it is ready, the plain spawn needs all of it.
 * Only the last piece may be empty, because the helper requests more when it has none.
 */
function streamInput(stream: Readable): InputSource {
  // a broken stream has ended; without a listener its error would end this process
  stream.on('error', () => {});
  return {
    first: () => ({ kind: 'p', piece: NOTHING }),
    next: async () => {
      while (true) {
        const taken: Buffer | null = stream.read();
        if (taken !== null && taken.length > INPUT_BYTES) stream.unshift(taken.subarray(INPUT_BYTES));
        if (taken !== null && taken.length > 0) return { kind: 'p', piece: taken.subarray(0, INPUT_BYTES) };
        if (stream.readableEnded || stream.destroyed) return { kind: 'w', piece: NOTHING };
        await readableOrOver(stream);
      }
    },
    close: () => stream.destroy(),
  };
}

function readableOrOver(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      for (const event of STREAM_EVENTS) stream.off(event, settle);
      resolve();
    };
    for (const event of STREAM_EVENTS) stream.on(event, settle);
  });
}

const STREAM_EVENTS = ['readable', 'end', 'close', 'error'] as const;

export function runFrame(command: number, { cwd, file, args }: ChildSpec, input: InputSource): Buffer {
  const { kind, piece } = input.first();
  const words = Buffer.from(`${[cwd, file, ...args].join('\0')}\0`);
  const start = Buffer.alloc(5, kind);
  start.writeUInt32BE(words.length, 1);
  return frame('R', command, Buffer.concat([start, words, piece]));
}

export function inputFrame(command: number, { kind, piece }: InputPiece): Buffer {
  return frame('I', command, Buffer.concat([Buffer.from(kind), piece]));
}

/** The difference between two environments; undefined when they are the same, as they nearly always are. */
export function environmentFrame(before: ChildSpec['env'], after: ChildSpec['env']): Buffer | undefined {
  const unset = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const names = Object.keys(after).filter((name) => after[name] !== before[name]);
  const entries = [...unset, ...names.map((name) => `${name}=${after[name]}`)];
  if (entries.length === 0) return undefined;
  return frame('E', 0, Buffer.from(entries.map((entry) => `${entry}\0`).join('')));
}

/** No kernel accepts a longer list of arguments. */
const LONGEST_WORDS = 4 * 1024 * 1024;

/** False for what a frame cannot carry; a plain spawn refuses it too, with a reason. */
export function canTravel({ cwd, file, args, env }: ChildSpec): boolean {
  const words = [cwd, file, ...args];
  if (words.reduce((sum, word) => sum + word.length, 0) > LONGEST_WORDS) return false;
  if (words.some((word) => word.includes('\0'))) return false;
  return Object.entries(env).every(([name, value]) => !/[=\0]/.test(name) && !value.includes('\0'));
}
