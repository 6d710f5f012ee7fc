import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { UserError } from '../../../system/userError.ts';

/** Asks at the terminal; only a clear yes is one. Where nobody can answer, `--yes` has to. */
export async function askToMove(plan: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UserError(`${plan} Add --yes to do it.`);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const closed = once(asking, 'close').then(() => '');
  try {
    const answer = await Promise.race([asking.question(`${plan}\nMove them? [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    asking.close();
  }
}
