import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Asks at the terminal. Only an explicit yes counts; Ctrl-C, Ctrl-D and a closed terminal do not. */
export async function askYes(question: string, output: NodeJS.WritableStream): Promise<'yes' | 'no' | 'interrupted'> {
  const terminal = createInterface({ input: process.stdin, output });
  const closed = once(terminal, 'close').then(() => '');
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
  } catch {
    return 'interrupted';
  } finally {
    terminal.close();
  }
}
