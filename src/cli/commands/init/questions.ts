import { createInterface } from 'node:readline/promises';

export type Answer = 'yes' | 'no' | 'interrupted';

/** Asks the user one question after another, until the user interrupts. */
export interface Questions extends Disposable {
  ask(question: string): Promise<Answer>;
  /** The number of questions so far. */
  count(): number;
}

/** An empty line means yes; Ctrl-C, Ctrl-D and a closed terminal interrupt. */
export function terminalQuestions(): Questions {
  // one interface for all questions: input typed ahead would be lost between two
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  const over = new AbortController();
  reader.once('close', () => over.abort());
  reader.once('SIGINT', () => reader.close());
  let count = 0;
  const ask = async (question: string): Promise<Answer> => {
    count++;
    try {
      const answer = (await reader.question(`${question} [Y/n] `, { signal: over.signal })).trim();
      if (/^(y(es)?)?$/i.test(answer)) return 'yes';
      if (/^no?$/i.test(answer)) return 'no';
    } catch {
      // the cursor is still after the question
      process.stdout.write('\n');
      return 'interrupted';
    }
    process.stdout.write('Please answer y or n.\n');
    return ask(question);
  };
  return { ask, count: () => count, [Symbol.dispose]: () => reader.close() };
}
