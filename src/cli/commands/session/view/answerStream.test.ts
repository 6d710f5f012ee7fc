import { describe, expect, it } from 'vitest';
import { AnswerStream } from './answerStream.ts';

const plain = (_style: unknown, text: string) => text;

/** What is on the screen after an answer arrived in parts of this size. */
function shown(text: string, size: number): readonly string[] {
  const answer = new AnswerStream(plain);
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += size) lines.push(...answer.add(text.slice(at, at + size), 40));
  return [...lines, ...answer.end(40)];
}

describe('AnswerStream', () => {
  it('shows a long code block as one, however it arrived', () => {
    const code = Array.from({ length: 900 }, (_, n) => (n % 10 === 0 ? '' : `const line${n} = ${n};`));
    const text = `Here:\n\n\`\`\`js\n${code.join('\n')}\n\`\`\`\n\nDone.`;
    const expected = ['Here:', '', '```js', ...code.map((line) => `  ${line}`.trimEnd()), '```', '', 'Done.', ''];
    expect(shown(text, 30)).toEqual(expected);
    expect(shown(text, 5_000)).toEqual(expected);
  });

  it('shows what is not finished yet, and again at another width', () => {
    const answer = new AnswerStream(plain);
    expect(answer.add('some words of an unfinished paragraph', 40)).toEqual([]);
    expect(answer.live(40)).toEqual(['some words of an unfinished paragraph']);
    expect(answer.live(20)).toEqual(['some words of an', 'unfinished paragraph']);
    answer.add(' goes on', 20);
    expect(answer.live(40).join(' ')).toBe('some words of an unfinished paragraph goes on');
    answer.end(40);
    expect(answer.live(40)).toEqual([]);
    expect(answer.isEmpty).toBe(true);
  });
});
