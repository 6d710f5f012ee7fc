import { expect, it } from 'vitest';
import { watchAnswers } from './watchAnswers.ts';

it('gives the answer, or the error, that comes in time', async () => {
  using watch = watchAnswers(1_000);
  expect(await watch.within(Promise.resolve('yes'))).toBe('yes');
  await expect(watch.within(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

it('gives up on one that never comes, and only on that', async () => {
  using watch = watchAnswers(20);
  const never = watch.within(new Promise(() => {}));
  const soon = watch.within(Promise.resolve('yes'));
  await expect(never).rejects.toMatchObject({ code: 'NO_ANSWER' });
  expect(await soon).toBe('yes');
});
