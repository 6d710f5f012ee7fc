import { performance } from 'node:perf_hooks';

export interface AnswerWatch extends Disposable {
  /** The answer, or an error with the code `NO_ANSWER` when it took too long. */
  within<Answer>(answer: PromiseLike<Answer>): Promise<Answer>;
}

interface Awaited {
  readonly since: number;
  readonly giveUp: () => void;
}

/**
 * A connection can be lost without an error from the driver, so the caller gets one after a while. Also keeps the process alive while
 * it waits for an answer. One timer for all answers: one each would cost more than the query.
 */
export function watchAnswers(ms: number): AnswerWatch {
  const awaited = new Set<Awaited>();
  const check = () => {
    const latest = performance.now() - ms;
    for (const one of awaited) if (one.since <= latest) one.giveUp();
  };
  const timer = setInterval(check, Math.max(1, ms / 10)).unref();
  const forget = (one: Awaited) => {
    awaited.delete(one);
    if (awaited.size === 0) timer.unref();
  };
  return {
    within: <Answer>(answer: PromiseLike<Answer>) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const giveUp = () => reject(Object.assign(new Error('No answer'), { code: 'NO_ANSWER' }));
      const one = { since: performance.now(), giveUp };
      if (awaited.size === 0) timer.ref();
      awaited.add(one);
      answer.then(resolve, reject);
      return promise.finally(() => forget(one));
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** After a connection was lost in the middle of an answer, the driver (postgres 3.4) starts the next one with holes. */
export function answeredRows<Row>(answer: readonly Row[]): readonly Row[] {
  return 0 in answer ? answer : answer.filter(() => true);
}
