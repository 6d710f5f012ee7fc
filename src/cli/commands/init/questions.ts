import { createInterface } from 'node:readline/promises';

export type Answer = 'yes' | 'no' | 'interrupted';

/** Asks a person one thing after the other; after an interruption nothing more is asked. */
export interface Questions extends Disposable {
  ask(question: string): Promise<Answer>;
  /** How many were asked. */
  count(): number;
}

/** At the terminal. An empty line takes the default, which is yes; Ctrl-C, Ctrl-D and a lost terminal break off. */
export function terminalQuestions(): Questions {
  // one interface for all: what is typed ahead would be lost between two
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const over = new AbortController();
  asking.once('close', () => over.abort());
  asking.once('SIGINT', () => asking.close());
  let count = 0;
  const ask = async (question: string): Promise<Answer> => {
    count++;
    try {
      const answer = (await asking.question(`${question} [Y/n] `, { signal: over.signal })).trim();
      if (/^(y(es)?)?$/i.test(answer)) return 'yes';
      if (/^no?$/i.test(answer)) return 'no';
    } catch {
      // the cursor still stands behind the question
      process.stdout.write('\n');
      return 'interrupted';
    }
    process.stdout.write('Please answer y or n.\n');
    return ask(question);
  };
  return { ask, count: () => count, [Symbol.dispose]: () => asking.close() };
}
