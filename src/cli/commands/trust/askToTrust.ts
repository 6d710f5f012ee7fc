import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

export type TrustAnswer = 'yes' | 'no' | 'interrupted';

/** Asks at the terminal. Only a clear yes is one; Ctrl-C, Ctrl-D and a terminal that goes away are none. */
export async function askToTrust(): Promise<TrustAnswer> {
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const closed = once(asking, 'close').then(() => '');
  try {
    const answer = await Promise.race([asking.question('Trust this folder? [y/N] '), closed]);
    return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
  } catch {
    // readline rejects a question that is broken off, and leaves its line open
    process.stdout.write('\n');
    return 'interrupted';
  } finally {
    asking.close();
  }
}
