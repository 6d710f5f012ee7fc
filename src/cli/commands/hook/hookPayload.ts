import { read, readSync } from 'node:fs';
import { isObject, jsonValue } from '../../../schemas/jsonValue.ts';
import type { Payload } from '../../../stop/payload.ts';
import { attempt } from '../../../system/attempt.ts';

const MOST_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** A host that leaves the pipe open and sends nothing must not hold the stop. */
const SILENCE_MS = 5_000;

/**
 * The event that the host sent; an empty one when it sent none, or none that can be read. The stream machinery would cost a
 * tenth of a bare start. `onSilence` must kill the process: the pending read cannot be canceled, and a normal exit waits for it.
 */
export async function readPayload(onSilence: () => void): Promise<Payload> {
  const parts: Buffer[] = [];
  while (true) {
    const silence = setTimeout(onSilence, SILENCE_MS);
    parts.push(await readChunk());
    clearTimeout(silence);
    const payload = payloadIn(parts);
    if (payload) return payload;
  }
}

/** The same, synchronously: all that a tool event does is read, decide and print. */
export function readPayloadSync(): Payload {
  const parts: Buffer[] = [];
  while (true) {
    parts.push(readChunkSync());
    const payload = payloadIn(parts);
    if (payload) return payload;
  }
}

/** Empty at the end, and when stdin cannot be read. */
function readChunk(): Promise<Buffer> {
  return new Promise((resolve) => {
    read(0, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null, (error, count, buffer) =>
      resolve(error ? Buffer.alloc(0) : buffer.subarray(0, count)),
    );
  });
}

function readChunkSync(): Buffer {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  return attempt(() => chunk.subarray(0, readSync(0, chunk)), Buffer.alloc(0));
}

/**
 * Null while more must be read; the last part is empty at the end. Some hosts leave the pipe open, so a payload that ends
 * like one is tried before the end: 125 is `}`, 10 a line end.
 */
function payloadIn(parts: readonly Buffer[]): Payload | null {
  const last = parts.at(-1)?.at(-1);
  const isOver = last === undefined || parts.reduce((size, part) => size + part.length, 0) > MOST_BYTES;
  if (isOver) return parsePayload(parts) ?? {};
  return last === 125 || last === 10 ? parsePayload(parts) : null;
}

function parsePayload(parts: readonly Buffer[]): Payload | null {
  const text = Buffer.concat(parts).toString('utf8');
  const value = jsonValue(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  return isObject(value) ? value : null;
}
