import { expect, it } from 'vitest';
import { answerWithin } from './answerWithin.ts';

it('gives the answer, or the error, that comes in time', async () => {
  expect(await answerWithin(1_000, Promise.resolve('yes'))).toBe('yes');
  await expect(answerWithin(1_000, Promise.reject(new Error('no')))).rejects.toThrow('no');
});

it('gives up on one that never comes', async () => {
  await expect(answerWithin(1, new Promise(() => {}))).rejects.toMatchObject({ code: 'NO_ANSWER' });
});
