import { expect, it } from 'vitest';
import { encodeFrame, frameReader, type RequestFrame } from './frames.ts';

it('puts frames together however they were cut', () => {
  const sent: RequestFrame[] = [1, 2, 3].map((id) => ({ id, operation: 'claim', request: { text: 'two\nlines 🚦' } }));
  const bytes = sent.map(encodeFrame).join('');
  for (const size of [1, 2, 7, 1_000]) {
    const received: RequestFrame[] = [];
    const read = frameReader<RequestFrame>((frame) => received.push(frame));
    for (let at = 0; at < bytes.length; at += size) read(bytes.slice(at, at + size));
    expect(received).toEqual(sent);
  }
});
