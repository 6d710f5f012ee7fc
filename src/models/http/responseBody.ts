import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import type * as Zlib from 'node:zlib';

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

/** Gives out what has come so far at every flush of the sender, and takes a body that was cut for what it is. */
const decoders: Readonly<Record<string, (zlib: typeof Zlib) => Transform>> = {
  gzip: (zlib) => zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  'x-gzip': (zlib) => zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: (zlib) => zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  br: (zlib) => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
};

/** The body without its coding. We ask for none, but some gateways compress all the same; rejects one it cannot read. */
export function decodeBody(response: IncomingMessage): Readable {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return response;
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
  if (!decoder) {
    response.destroy();
    throw new Error(`the server answered in the coding '${coding}', which was not asked for and cannot be read`);
  }
  const { pipeline } = process.getBuiltinModule('node:stream');
  // The decoder is destroyed with the error, and its reader is told.
  return pipeline(response, decoder(process.getBuiltinModule('node:zlib')), () => {});
}
