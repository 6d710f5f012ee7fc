import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

export type TrustAnswer = 'yes' | 'no' | 'interrupted';

/** Asks at the terminal. Only a clear yes is one; the end of input is a no. */
export async function askToTrust(): Promise<TrustAnswer> {
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const closed = once(asking, 'close').then(() => '');
  try {
    const answer = await Promise.race([asking.question('Trust this folder? [y/N] '), closed]);
    return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
  } catch {
    // Ctrl-C: readline rejects the question
    return 'interrupted';
  } finally {
    asking.close();
  }
}
