import { describe, expect, it } from 'vitest';
import { attachImages } from './attachImages.ts';

const isFile = (file: string) => ['/p/a.png', '/p/with space.JPG', '/abs/x.webp'].includes(file);

describe('an image that a prompt mentions', () => {
  it.each([
    ['look at a.png please', 'look at @a.png please'],
    ["'with space.JPG'", '@"with space.JPG"'],
    ['"with space.JPG" and more', '@"with space.JPG" and more'],
    ['with\\ space.JPG', '@"with space.JPG"'],
    ['/abs/x.webp', '@/abs/x.webp'],
    // already named, not there, no image, part of a word
    ['@a.png', '@a.png'],
    ['b.png', 'b.png'],
    ['notes.txt', 'notes.txt'],
    ['(a.png)', '(a.png)'],
    ["it's a plan", "it's a plan"],
  ])('%s', (prompt, expected) => {
    expect(attachImages(prompt, '/p', isFile)).toBe(expected);
  });
});
