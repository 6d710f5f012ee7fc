import type { Readable } from 'node:stream';

/** How much is read ahead of a slow reader before the sender has to wait. */
const READ_AHEAD_BYTES = 64 * 1024;

/**
 * A Node stream as a web stream of bytes, each piece as it comes. A cancelled one closes its connection. A stream that
 * breaks fails as `fetch` lets it fail: a TypeError `terminated` with its cause, or the reason of the abort.
 */
export function responseBody(source: Readable, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  let release = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        release = forward(source, controller, (error) =>
          signal?.aborted ? signal.reason : new TypeError('terminated', { cause: error }),
        );
      },
      pull: () => void source.resume(),
      cancel: () => {
        release();
        source.destroy();
      },
    },
    { highWaterMark: READ_AHEAD_BYTES, size: ({ byteLength }) => byteLength },
  );
}

/** Passes everything on; gives back what ends that, since a destroyed stream may still give out what it held. */
function forward(
  source: Readable,
  controller: ReadableStreamDefaultController<Uint8Array>,
  reasonFor: (error: Error) => unknown,
): () => void {
  const take = ({ buffer, byteOffset, byteLength }: Buffer) => {
    controller.enqueue(new Uint8Array(buffer, byteOffset, byteLength));
    if ((controller.desiredSize ?? 0) <= 0) source.pause();
  };
  const end = () => controller.close();
  const release = () => void source.off('data', take).off('end', end);
  source.on('data', take);
  source.on('end', end);
  source.on('error', (error) => {
    release();
    controller.error(reasonFor(error));
  });
  return release;
}
