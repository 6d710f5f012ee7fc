import { expect, it } from 'vitest';
import type { StopAnswer } from '../answer.ts';
import { judgePiece } from './pieces.ts';

const pass: StopAnswer = { type: 'pass', notes: [] };
const block: StopAnswer = { type: 'block', notes: [], reason: 'r' };

it.each<[string, StopAnswer, Parameters<typeof judgePiece>[1] & { isDisturbed?: true }, 'same' | 'again' | 'block']>([
  ['counts for the stop that asked for it', pass, { stops: 1, now: null, reruns: 0 }, 'same'],
  ['counts for a later stop on the same files', pass, { stops: 3, now: 'a', reruns: 0 }, 'same'],
  ['is asked for again on other files', pass, { stops: 2, now: 'b', reruns: 0 }, 'again'],
  ['is asked for again also after a failure', block, { stops: 2, now: 'b', reruns: 1 }, 'again'],
  ['keeps a failure when files never rest', block, { stops: 2, now: 'b', reruns: 2 }, 'same'],
  ['does not pass when files never rest', pass, { stops: 2, now: 'b', reruns: 2 }, 'block'],
  ['is asked for again when files were put back', pass, { stops: 2, now: 'a', reruns: 1, isDisturbed: true }, 'again'],
  [
    'does not pass when files are put back each time',
    pass,
    { stops: 2, now: 'a', reruns: 2, isDisturbed: true },
    'block',
  ],
])('an answer %s', (_name, answer, { isDisturbed = false, ...facts }, expected) => {
  const judged = judgePiece({ before: 'a', answer, isDisturbed }, facts);
  expect(judged === answer ? 'same' : judged === 'again' ? 'again' : judged.type).toBe(expected);
});
