import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MarkdownPiece, MarkdownStream } from './markdownStream.ts';

/** All pieces of a text that arrives in parts of this size. */
function piecesOf(text: string, size = 7): readonly MarkdownPiece[] {
  const stream = new MarkdownStream();
  const pieces: MarkdownPiece[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...stream.add(text.slice(at, at + size)));
  return [...pieces, stream.end()];
}

/** Without the fences that were added to make each piece whole. */
const originalOf = ({ text, continues, goesOn }: MarkdownPiece) => {
  const lines = text.split('\n');
  return lines.slice(continues ? 1 : 0, goesOn ? -1 : lines.length).join('\n');
};

describe('MarkdownStream', () => {
  it.each([
    ['a paragraph is finished by an empty line', 'one\ntwo\n\nthree', ['one\ntwo\n\n', 'three']],
    ['a code block is not', '```js\na\n\nb\n```\n\nafter', ['```js\na\n\nb\n```\n\n', 'after']],
    ['nor by a fence of the other kind', '~~~\n```\n\nb\n~~~\n\nafter', ['~~~\n```\n\nb\n~~~\n\n', 'after']],
    ['nor by a fence with a language', '```\n```js\n\nb\n```\n\nafter', ['```\n```js\n\nb\n```\n\n', 'after']],
    ['nor by a shorter fence', '````\n```\n\nb\n````\n\nafter', ['````\n```\n\nb\n````\n\n', 'after']],
    ['code inside of a line opens no block', '```a``` b\n\nafter', ['```a``` b\n\n', 'after']],
    [
      'line ends of two characters',
      '```\r\na\r\n\r\nb\r\n```\r\n\r\nafter',
      ['```\r\na\r\n\r\nb\r\n```\r\n\r\n', 'after'],
    ],
  ])('%s', (_, text, parts) => {
    expect(piecesOf(text).map((piece) => piece.text)).toEqual(parts);
    expect(piecesOf(text, 1).map((piece) => piece.text)).toEqual(parts);
  });

  it('cuts a long code block at lines, and repeats its fence', () => {
    const code = Array.from({ length: 1_000 }, (_, n) => `line ${n}`).join('\n');
    const pieces = piecesOf(`intro\n\`\`\`js\n${code}\n\`\`\`\nafter`);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces[0]).toMatchObject({ continues: false, goesOn: true });
    expect(pieces[0]?.text).toMatch(/^intro\n```js\nline 0\n[\s\S]*\n```$/);
    expect(pieces[1]).toMatchObject({ continues: true, goesOn: true });
    expect(pieces[1]?.text).toMatch(/^```js\nline \d+\n[\s\S]*\n```$/);
    expect(pieces.at(-1)).toMatchObject({ continues: true, goesOn: false });
    expect(pieces.at(-1)?.text).toMatch(/^```js\n[\s\S]*```\nafter$/);
    const lines = pieces.flatMap((piece) => originalOf(piece).match(/line \d+/g) ?? []);
    expect(lines).toEqual(code.split('\n'));
  });

  it('keeps what is alive small, also in one endless line', () => {
    for (const text of [
      'x'.repeat(100_000),
      'word '.repeat(20_000),
      'a\n'.repeat(50_000),
      `~~~\n${'y'.repeat(50_000)}`,
    ]) {
      const stream = new MarkdownStream();
      let longest = 0;
      for (let at = 0; at < text.length; at += 100) {
        stream.add(text.slice(at, at + 100));
        longest = Math.max(longest, stream.live.text.length);
      }
      expect(longest).toBeLessThan(12_500);
    }
  });

  it('loses and invents nothing', () => {
    const line = fc.constantFrom('', 'text', '```', '```js', '~~~', '- item', '| a | b |', 'z'.repeat(900), '    ```');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 1, max: 3_000 }), (lines, size) => {
        const text = lines.join('\n');
        const found = piecesOf(text, size).map(originalOf).join('\n').replace(/\s+/g, '');
        expect(found).toBe(text.replace(/\s+/g, ''));
      }),
    );
  });
});
