import { describe, expect, it } from 'vitest';
import { FrameReader, type ReadFrame } from './frameReader.ts';
import { frame } from './frames.ts';

const number = (value: number) => Buffer.from([0, 0, 0, value]);
const nothing = Buffer.alloc(0);

/** Frames as they were heard, pieces of one output joined. */
function read(chunks: readonly Buffer[]) {
  const heard: { type: string; command: number; payload: string }[] = [];
  const reader = new FrameReader(({ type, command, payload }: ReadFrame) => {
    const last = heard.at(-1);
    const text = payload.toString('latin1');
    if (last && type === 'O' && last.type === 'O') last.payload += text;
    else heard.push({ type, command, payload: text });
  });
  return { isSense: chunks.every((chunk) => reader.push(chunk)), heard };
}

describe('FrameReader', () => {
  const output = Buffer.from('\0binary\xff\n', 'latin1');
  const stream = Buffer.concat([
    frame('H', 0, nothing),
    frame('P', 7, number(9)),
    frame('O', 7, output),
    frame('X', 2 ** 32 - 1, number(3)),
  ]);
  const frames = [
    { type: 'H', command: 0, payload: '' },
    { type: 'P', command: 7, payload: '\0\0\0\t' },
    { type: 'O', command: 7, payload: '\0binary\xff\n' },
    { type: 'X', command: 2 ** 32 - 1, payload: '\0\0\0\x03' },
  ];

  it('reads the same frames however the stream is cut', () => {
    for (let size = 1; size <= stream.length; size++) {
      const count = Math.ceil(stream.length / size);
      const chunks = Array.from({ length: count }, (_, i) => stream.subarray(i * size, (i + 1) * size));
      expect(read(chunks)).toEqual({ isSense: true, heard: frames });
    }
  });

  it.each([
    ['an unknown type', frame('Z', 1, nothing)],
    ['a number that is too long', frame('P', 1, output)],
    ['a number that is missing', frame('X', 1, nothing)],
    ['more output than the helper sends at a time', frame('O', 1, Buffer.alloc(65_537))],
    ['text', Buffer.from("Can't locate strict.pm in @INC")],
  ])('refuses %s', (_name, bytes) => {
    expect(read([bytes]).isSense).toBe(false);
  });
});
