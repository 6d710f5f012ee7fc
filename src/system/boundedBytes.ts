const NOTHING = Buffer.alloc(0);

/**
 * Keeps the first and the last part of a stream of bytes in one buffer of `limit` bytes. Once the buffer is full, its
 * first half stays and its second half becomes a ring, so every byte is copied once.
 */
export class BoundedBytes {
  readonly #limit: number;
  readonly #half: number;
  #buffer = NOTHING;
  #size = 0;
  #seen = 0;
  /** The place of the ring's oldest byte, once the buffer is full. */
  #ringAt: number;

  constructor(limit: number) {
    this.#limit = Math.max(0, Math.floor(limit));
    this.#half = Math.ceil(this.#limit / 2);
    this.#ringAt = this.#half;
  }

  push(chunk: Buffer): void {
    this.#seen += chunk.length;
    const first = chunk.subarray(0, this.#limit - this.#size);
    this.#grow(this.#size + first.length);
    first.copy(this.#buffer, this.#size);
    this.#size += first.length;
    this.#pushToRing(chunk.subarray(first.length));
  }

  /** The kept text, with a line that counts dropped bytes; no character is cut in two. */
  read(): { readonly text: string; readonly droppedBytes: number } {
    const dropped = this.#seen - this.#size;
    if (dropped === 0) return { text: this.#buffer.toString('utf8', 0, this.#size), droppedBytes: 0 };
    const head = withoutCutEnd(this.#buffer.subarray(0, this.#half));
    const ring = [this.#buffer.subarray(this.#ringAt), this.#buffer.subarray(this.#half, this.#ringAt)];
    const tail = withoutCutStart(Buffer.concat(ring));
    const droppedBytes = this.#seen - head.length - tail.length;
    return { text: `${head}\n[… ${droppedBytes} bytes were left out here …]\n${tail}`, droppedBytes };
  }

  #grow(size: number): void {
    if (size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.min(this.#limit, Math.max(size, 2 * this.#buffer.length)));
    this.#buffer.copy(larger, 0, 0, this.#size);
    this.#buffer = larger;
  }

  #pushToRing(bytes: Buffer): void {
    const length = this.#limit - this.#half;
    if (bytes.length === 0 || length === 0) return;
    const newest = bytes.subarray(Math.max(0, bytes.length - length));
    const untilEnd = newest.subarray(0, this.#limit - this.#ringAt);
    untilEnd.copy(this.#buffer, this.#ringAt);
    newest.copy(this.#buffer, this.#half, untilEnd.length);
    this.#ringAt = this.#half + ((this.#ringAt - this.#half + newest.length) % length);
  }
}

const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return sequenceLength(byte) > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}

function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start++;
  return bytes.subarray(start);
}
