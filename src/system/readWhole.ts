interface Reading {
  readonly maxBytes: number;
  /** What is thrown for more than that. */
  readonly tooLong: () => Error;
  /** Called with the bytes read so far. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
}

/** All of a stream as text, up to a limit. */
export async function readWhole(stream: AsyncIterable<Uint8Array>, reading: Reading): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > reading.maxBytes) throw reading.tooLong();
    chunks.push(chunk);
    reading.onBytes?.(size);
  }
  return Buffer.concat(chunks).toString('utf8');
}
