const HEADER_BYTES = 9;

/** The most that the helper sends of one output at a time. */
const OUTPUT_BYTES = 65_536;

/** All frames except output (`O`, `S`) have a payload of one number, or none. */
const PAYLOAD_BYTES = new Map(Object.entries({ H: 0, A: 0, W: 0, P: 4, X: 4, L: 4, F: 4 }));

export interface ReadFrame {
  readonly type: string;
  readonly command: number;
  readonly payload: Buffer;
}

/** Splits the helper's stream into frames. */
export class FrameReader {
  readonly #onFrame: (frame: ReadFrame) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onFrame: (frame: ReadFrame) => void) {
    this.#onFrame = onFrame;
  }

  /** False when this is not a valid frame. */
  push(chunk: Buffer): boolean {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (bytes.length >= HEADER_BYTES) {
      const length = bytes.readUInt32BE(0);
      const type = bytes.toString('latin1', 4, 5);
      const isOutput = (type === 'O' || type === 'S') && length <= OUTPUT_BYTES;
      if (!isOutput && length !== PAYLOAD_BYTES.get(type)) return false;
      const end = HEADER_BYTES + length;
      if (bytes.length < end) break;
      this.#onFrame({ type, command: bytes.readUInt32BE(5), payload: bytes.subarray(HEADER_BYTES, end) });
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
    return true;
  }
}
