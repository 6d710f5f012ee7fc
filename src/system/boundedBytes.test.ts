import { describe, expect, it } from 'vitest';
import { BoundedBytes } from './boundedBytes.ts';

function keep(limit: number, ...chunks: (string | Buffer)[]) {
  const bytes = new BoundedBytes(limit);
  for (const chunk of chunks) bytes.push(Buffer.from(chunk as string));
  return bytes.read();
}

describe('BoundedBytes', () => {
  it.each([
    ['nothing', 4, [], '', 0],
    ['all of what fits', 4, ['ab', 'cd'], 'abcd', 0],
    ['the first and the last half', 4, ['ab', 'cd', 'e'], 'ab\n[… 1 bytes were left out here …]\nde', 1],
    ['the same of one big chunk', 4, ['abcdefghij'], 'ab\n[… 6 bytes were left out here …]\nij', 6],
    ['more head than tail of an odd limit', 3, ['abcdef'], 'ab\n[… 3 bytes were left out here …]\nf', 3],
    ['nothing but the count with no room', 0, ['abc'], '\n[… 3 bytes were left out here …]\n', 3],
  ])('keeps %s', (_name, limit, chunks, text, droppedBytes) => {
    expect(keep(limit, ...chunks)).toEqual({ text, droppedBytes });
  });

  it('keeps the same bytes however they are cut into chunks', () => {
    const all = Array.from({ length: 997 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('');
    const whole = keep(100, all);
    for (const size of [1, 3, 7, 49, 50, 51, 99, 100, 101, 500]) {
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.slice(i * size, (i + 1) * size),
      );
      expect(keep(100, ...chunks)).toEqual(whole);
    }
  });

  it('joins a character that came in two chunks', () => {
    const euro = Buffer.from('€');
    expect(keep(10, euro.subarray(0, 1), euro.subarray(1)).text).toBe('€');
  });

  it('drops a character whole at either edge of the gap', () => {
    for (let limit = 1; limit < 24; limit++) {
      const { text, droppedBytes } = keep(limit, 'é€😀'.repeat(10));
      expect(text).not.toContain('\uFFFD');
      const [head = '', tail = ''] = text.split(/\n\[.*\]\n/);
      expect(Buffer.byteLength(head + tail) + droppedBytes).toBe(90);
    }
  });
});
