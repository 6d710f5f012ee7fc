import { expect, it } from 'vitest';
import { runPersonsCommand } from './personsPrograms.ts';

const LARGE = 'x'.repeat(1_000_000);

/** More than a pipe holds, so that writing it fails. */
it.each([
  ['exec 0<&-; echo https://x', { type: 'ran', stdout: 'https://x\n' }],
  ['exit 3', { type: 'failed', reason: 'exit code 3' }],
])('a command that does not read its input is judged by its exit code: %s', (line, end) => {
  expect(runPersonsCommand(line, { env: {}, cwd: '/', input: LARGE })).toEqual(end);
});
