import { expect, it } from 'vitest';
import { tomlFault } from './tomlFault.ts';

it.each([
  ['', null],
  ['# only a comment', null],
  ['model = "a"\r\n[features]\nhooks = true # yes\n', null],
  ['a = \'\'\'one\n\'two\' \'\'\n\'\'\'\nb = """x \\""" y"""""\n', null],
  ['list = [\n  1, # one\n  { a.b = [true] },\n]\n[[x."y z"]]\nd = 1979-05-27 07:32:00\n', null],
  ['n = -inf\nm = +1_000.5e3\nt = 07:32:00\n', null],
  ['model = gpt-5\n', 0],
  ['a = 1\nb =\n', 1],
  ['a = 1\n[features\nhooks = true\n', 1],
  ['a = "open\nb = 1\n', 0],
  ['a = 1\n<<<<<<< HEAD\n', 1],
  ['a = 1 b = 2\n', 0],
  ['a = [1,\n2\nb = 3\n', 2],
])('%j has its first fault in line %s', (text, line) => {
  expect(tomlFault(text)?.line ?? null).toBe(line);
});
