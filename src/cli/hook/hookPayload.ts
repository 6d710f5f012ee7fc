import type { Payload } from '../../hosts/callers.ts';

const MOST_BYTES = 16 * 1024 * 1024;
/** Hosts write the payload at once; one that leaves the pipe open and sends nothing must not hold the stop. */
const SILENCE_MS = 5_000;

/** The event as the host sent it; an empty one when it sent none, or none that can be read. */
export async function readPayload(stdin: NodeJS.ReadStream): Promise<Payload> {
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(silence);
      stdin.removeAllListeners();
      stdin.pause();
      resolve(parsePayload(Buffer.concat(parts).toString('utf8')) ?? {});
    };
    const silence = setTimeout(done, SILENCE_MS);
    stdin.on('data', (chunk: Buffer) => {
      silence.refresh();
      parts.push(chunk);
      size += chunk.length;
      // whole already: some hosts leave the pipe open
      const isWhole = chunk.at(-1) === 125 || chunk.at(-1) === 10;
      if (size > MOST_BYTES || (isWhole && parsePayload(Buffer.concat(parts).toString('utf8')))) done();
    });
    stdin.once('end', done);
    stdin.once('error', done);
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
