import { ownValue } from '../ownValue.ts';

const HEADER_BYTES = 9;

/** All frames except output have a payload of one number, or none. */
const PAYLOAD_BYTES: Readonly<Record<string, number>> = { H: 0, A: 0, W: 0, P: 4, X: 4, L: 4, F: 4 };

export interface ReadFrame {
  readonly type: string;
  readonly command: number;
  readonly payload: Buffer;
}

/**
 * Splits the helper's stream into frames. Output (`O`, `S`) is passed on in pieces as it arrives, so that no large buffer
 * is needed; other frames are passed on whole.
 */
export class FrameReader {
  readonly #onFrame: (frame: ReadFrame) => void;
  #rest: Buffer = Buffer.alloc(0);
  #output = { type: '', command: 0, bytesLeft: 0 };

  constructor(onFrame: (frame: ReadFrame) => void) {
    this.#onFrame = onFrame;
  }

  /** False when this is not a valid frame. */
  push(chunk: Buffer): boolean {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (;;) {
      bytes = this.#passOnOutput(bytes);
      if (bytes.length < HEADER_BYTES) break;
      const length = bytes.readUInt32BE(0);
      const type = bytes.toString('latin1', 4, 5);
      const command = bytes.readUInt32BE(5);
      if (type === 'O' || type === 'S') {
        this.#output = { type, command, bytesLeft: length };
        bytes = bytes.subarray(HEADER_BYTES);
        continue;
      }
      if (length !== ownValue(PAYLOAD_BYTES, type)) return false;
      if (bytes.length < HEADER_BYTES + length) break;
      this.#onFrame({ type, command, payload: bytes.subarray(HEADER_BYTES, HEADER_BYTES + length) });
      bytes = bytes.subarray(HEADER_BYTES + length);
    }
    this.#rest = bytes;
    return true;
  }

  #passOnOutput(bytes: Buffer): Buffer {
    const { type, command, bytesLeft } = this.#output;
    if (bytesLeft === 0 || bytes.length === 0) return bytes;
    const payload = bytes.subarray(0, bytesLeft);
    this.#output.bytesLeft -= payload.length;
    this.#onFrame({ type, command, payload });
    return bytes.subarray(payload.length);
  }
}
