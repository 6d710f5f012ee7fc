import { expect, it } from 'vitest';
import { readJsonLines } from './readJsonLines.ts';

it.each([
  ['one field', '{"title":"a"}', [{ title: 'a' }]],
  ['empty lines between', '{"title":"a"}\n\n{"title":"b"}\n', [{ title: 'a' }, { title: 'b' }]],
  ['one name in after', '{"title":"a","after":"b"}', [{ title: 'a', after: ['b'] }]],
  [
    'times in words or seconds',
    '{"title":"a","delay":"10m","timeBudget":90}',
    [{ title: 'a', delay: '10m', timeBudget: 90 }],
  ],
])('reads %s', (_what, text, expected) => {
  expect(readJsonLines(text).map(({ fields }) => fields)).toEqual(expected);
});

it.each([
  ['invalid JSON', '{"title":"a"}\n{title}', /^Line 2 is not JSON/],
  ['a misspelled field', '{"titel":"a"}', /^Line 1 has an unknown field "titel"; did you mean title\?$/],
  ['a missing title', '{"body":"a"}', /^Line 1 has an invalid title/],
  ['a wrong kind of value', '{"title":"a","priority":"high"}', /^Line 1 has an invalid priority/],
  ['a list', '[1]', /^Line 1 is not a task/],
])('refuses %s with its line', (_what, text, reason) => {
  expect(() => readJsonLines(text)).toThrow(reason);
});
