import { expect, it } from 'vitest';
import { runPersonsCommand } from './personsPrograms.ts';
import { variableText } from './variableText.ts';

it.each([
  ['an ordinary text', 'a\nb', 'a\nb'],
  ['what no variable can contain', 'a\0b', 'a\ufffdb'],
])('is passed as it is, or as near as possible: %s', (_what, text, expected) =>
  expect(variableText(text)).toBe(expected),
);

it.each(['x', 'é', '…', '🚦'])('is short enough for a command, and says that it was cut: %s', (letter) => {
  const env = Object.fromEntries(['A', 'B', 'C'].map((name) => [name, variableText(letter.repeat(1_000_000))]));
  const ran = runPersonsCommand('printf %s "$A" | tail -n 1', {
    env: { PATH: process.env.PATH ?? '', ...env },
    cwd: '/',
    input: '',
  });
  expect(ran).toEqual({ type: 'ran', stdout: '… (cut; all of it is in the JSON on stdin)' });
});
