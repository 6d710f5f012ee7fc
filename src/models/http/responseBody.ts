import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import type * as Zlib from 'node:zlib';
import { ownValue } from '../../system/ownValue.ts';

/** How much is read ahead of a slow reader. */
const READ_AHEAD_BYTES = 64 * 1024;

/**
 * A Node stream as a web stream of bytes. Canceling it closes the connection. A broken stream fails as in `fetch`: with a
 * TypeError `terminated` and its cause, or with the abort's reason.
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

/** Forwards all data. Returns the function that stops this: a destroyed stream may still emit buffered data. */
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

/** Emit data at every flush of the sender, and accept a truncated body. */
const decoders: Readonly<Record<string, (zlib: typeof Zlib) => Transform>> = {
  gzip: (zlib) => zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  'x-gzip': (zlib) => zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: (zlib) => zlib.createInflate({ flush: zlib.constants.Z_SYNC_FLUSH }),
  br: (zlib) => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
};

/** Decodes the body: some gateways compress although the request accepts no coding. Throws for an unknown coding. */
export function decodeBody(response: IncomingMessage): Readable {
  const coding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return response;
  const decoder = ownValue(decoders, coding);
  if (!decoder) {
    response.destroy();
    throw new Error(
      `the server answered with content-encoding '${coding}', which was not requested and cannot be decoded`,
    );
  }
  const { pipeline } = process.getBuiltinModule('node:stream');
  // an error destroys the decoder, which fails its reader
  return pipeline(response, decoder(process.getBuiltinModule('node:zlib')), () => {});
}
