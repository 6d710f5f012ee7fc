import { expect, it } from 'vitest';
import { replaceText } from './edit.ts';
import { decodeText } from './textFile.ts';

it.each([
  ['one place', 'abc', 'b', 'x', false, 'axc'],
  ['several lines', 'a\nb\nc', 'a\nb', 'x', false, 'x\nc'],
  ['CRLF, written with LF', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', false, 'x\r\ny\r\nc\r\n'],
  ['a new line in a file of CRLF', 'a\r\nb\r\n', 'b', 'b\nc', false, 'a\r\nb\r\nc\r\n'],
  ['mixed line ends, none of them touched', 'a\r\nb\nc\r\n', 'b\nc', 'x\ny', false, 'a\r\nx\ny\r\n'],
  ['CRLF among mixed line ends', 'a\r\nb\nc', 'a\nb', 'x\ny', false, 'x\r\ny\nc'],
  ['every place', 'a-a-a', 'a', 'b', true, 'b-b-b'],
  ['nothing special in what is put in', 'a', 'a', '$& $1', false, '$& $1'],
  ['nothing special in what is looked for', 'a.c abc', 'a.c', 'x', true, 'x abc'],
])('replaces %s', (_name, text, old_string, new_string, replace_all, expected) => {
  const file = decodeText(Buffer.from(text));
  expect(file && replaceText(file, { old_string, new_string, replace_all })).toMatchObject({
    type: 'replaced',
    text: expected,
  });
});

it.each([
  ['abc', 'x', false, { type: 'notFound' }],
  ['abc', 'x', true, { type: 'notFound' }],
  ['aXbXc', 'X', false, { type: 'ambiguous', count: 2 }],
  ['a\r\na\r\n', 'a\n', false, { type: 'ambiguous', count: 2 }],
])('in %j, %j (all: %s) is %j', (text, old_string, replace_all, expected) => {
  const file = decodeText(Buffer.from(text));
  expect(file && replaceText(file, { old_string, new_string: 'new', replace_all })).toEqual(expected);
});
