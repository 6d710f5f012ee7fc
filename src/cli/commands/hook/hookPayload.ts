import { read } from 'node:fs';
import type { Payload } from '../../../hosts/callers.ts';

const MOST_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** Hosts write the payload at once; one that leaves the pipe open and sends nothing must not hold the stop. */
const SILENCE_MS = 5_000;

/**
 * The event as the host sent it; an empty one when it sent none, or none that can be read. Read without the stream
 * machinery, which costs a tenth of a bare start. `onSilence` has to end the process: the read that waits cannot be called
 * off, and an ordinary exit would wait for it.
 */
export async function readPayload(onSilence: () => void): Promise<Payload> {
  const parts: Buffer[] = [];
  let size = 0;
  while (size <= MOST_BYTES) {
    const silence = setTimeout(onSilence, SILENCE_MS);
    const chunk = await readSome();
    clearTimeout(silence);
    if (chunk.length === 0) break;
    parts.push(chunk);
    size += chunk.length;
    // whole already: some hosts leave the pipe open
    const isWhole = chunk.at(-1) === 125 || chunk.at(-1) === 10;
    const payload = isWhole ? parsePayload(Buffer.concat(parts).toString('utf8')) : null;
    if (payload) return payload;
  }
  return parsePayload(Buffer.concat(parts).toString('utf8')) ?? {};
}

/** Empty at the end, and when there is nothing that could be read. */
function readSome(): Promise<Buffer> {
  return new Promise((resolve) => {
    read(0, Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null, (error, count, buffer) =>
      resolve(error ? Buffer.alloc(0) : buffer.subarray(0, count)),
    );
  });
}

export function parsePayload(text: string): Payload | null {
  try {
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : null;
  } catch {
    return null;
  }
}
