import { describe, expect, it } from 'vitest';
import { readMarkdown } from './readMarkdown.ts';

/** Titles, bodies and marks of what is added; done ones as `x title`. */
function read(text: string) {
  return readMarkdown(text).map(({ fields, isDone }) => (isDone ? `x ${fields.title}` : fields));
}

describe('a Markdown list', () => {
  it.each([
    ['a plain item', '- one', [{ title: 'one' }]],
    ['an open box', '- [ ] one', [{ title: 'one' }]],
    ['other bullets', '* one\n+ two', [{ title: 'one' }, { title: 'two' }]],
    ['numbers', '1. one\n2) two', [{ title: 'one' }, { title: 'two' }]],
    ['a done box', '- [x] one\n- [X] two\n- three', ['x one', 'x two', { title: 'three' }]],
    ['a body', '- one\n  first\n\n    second\n- two', [{ title: 'one', body: 'first\n\n  second' }, { title: 'two' }]],
    ['a nested item', '- one\n  - two\n    text', [{ title: 'one' }, { title: 'two', body: 'text' }]],
    [
      'code in a body',
      '- one\n  ```\n  - x\n  ```\n- two',
      [{ title: 'one', body: '```\n- x\n```' }, { title: 'two' }],
    ],
    ['text around it', '# Plan\n\nwords\n\n- one\n\nmore words\n  indented', [{ title: 'one' }]],
    [
      'marks',
      '- one (key: a)\n- two (after: a, one)',
      [
        { title: 'one', key: 'a' },
        { title: 'two', after: ['a', 'one'] },
      ],
    ],
    ['parentheses that are no marks', '- one (really)', [{ title: 'one (really)' }]],
    ['Windows lines', '- one\r\n  text\r\n', [{ title: 'one', body: 'text' }]],
    ['tabs', '- one\n\ttext', [{ title: 'one', body: 'text' }]],
  ])('has %s', (_what, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('is missing where there are only words', () => {
    expect(() => read('just words')).toThrow(/no list/);
  });

  it('has a title beside its marks', () => {
    expect(() => read('- fine\n- (after: fine)')).toThrow(/^Line 2 .* no title/);
  });

  it('returns the line and the number of each item', () => {
    expect(readMarkdown('\n3. one\n')).toMatchObject([{ line: 2, number: 3 }]);
  });
});
