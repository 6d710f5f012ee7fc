import { readSession } from '../../../stop/readLedger.ts';
import { isAlive } from '../../../system/processLife.ts';
import { thisWorld } from '../../../system/world.ts';
import { printResult } from '../../output/printResult.ts';
import { namedSession } from '../../wiring/namedSession.ts';
import type { Flags } from '../task/taskOptions.ts';
import { adviceFor, storyOf, storyText } from './story.ts';

/** `stopgate why`: the story of a session, from its lines in the ledger. */
export async function runWhy(wanted: string | undefined, options: Flags<'store', 'json'>): Promise<number> {
  const world = thisWorld();
  const session = await namedSession(wanted, { ...world, store: options.store });
  const entries = readSession(world.stopgateHome, session);
  const pid = entries.at(-1)?.hostPid ?? null;
  const isRunning = pid !== null && isAlive(pid);
  const json = options.json
    ? { session, story: storyOf(entries, isRunning), advice: adviceFor(entries, isRunning), entries }
    : null;
  return printResult(json, world, (page) => storyText(entries, isRunning, page));
}
