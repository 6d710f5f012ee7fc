import { describe, expect, it } from 'vitest';
import { chooseFiles } from './chooseFiles.ts';
import { readableSize } from './leftOut.ts';

const limits = { fileBytes: 10, totalBytes: 20, files: 100 };

describe('which untracked files are kept', () => {
  it('are the small ones first, as long as all together fit', () => {
    const files = [8, 11, 3, 9, 2].map((bytes) => ({ path: `f${bytes}`, bytes }));
    expect(chooseFiles(files, limits)).toEqual({
      kept: ['f2', 'f3', 'f8'],
      leftOut: [
        { path: 'f9', reason: '9 bytes, over 20 bytes for all untracked files together' },
        { path: 'f11', reason: '11 bytes, over 10 bytes for one untracked file' },
      ],
    });
  });

  it('are those at the limit, not above it', () => {
    const files = [10, 10].map((bytes, index) => ({ path: `f${index}`, bytes }));
    expect(chooseFiles(files, limits)).toEqual({ kept: ['f0', 'f1'], leftOut: [] });
  });

  it('names the largest fifty of those left out and counts the rest', () => {
    const files = Array.from({ length: 60 }, (_, index) => ({ path: `f${index}`, bytes: 100 + index }));
    const { leftOut } = chooseFiles(files, limits);
    expect(leftOut).toHaveLength(51);
    expect(leftOut.at(-2)?.path).toBe('f59');
    expect(leftOut.at(-1)).toEqual({ path: '10 more files', reason: 'over the same limits' });
  });
});

describe('a size', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1000, '1 KB'],
    [50_000_000, '50 MB'],
    [2_100_000_000, '2.1 GB'],
    [999_999, '1 MB'],
    [5e15, '5000 TB'],
  ])('of %i is %s', (bytes, text) => {
    expect(readableSize(bytes)).toBe(text);
  });
});
