/**
 * A connection can be lost so that the driver never says so. Whoever asked hears it after a while, and a process that has
 * nothing else to do does not end in the middle of a question.
 */
export async function answerWithin<Answer>(ms: number, answer: PromiseLike<Answer>): Promise<Answer> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(Object.assign(new Error('No answer'), { code: 'NO_ANSWER' })), ms);
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearTimeout(timer);
  }
}
