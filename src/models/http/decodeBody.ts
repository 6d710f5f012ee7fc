import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import type * as Zlib from 'node:zlib';

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
