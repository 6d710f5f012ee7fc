import { existsSync } from 'node:fs';
import { folderOf } from '../../../stop/ledger.ts';
import { readSessions } from '../../../stop/readLedger.ts';
import { wallNow } from '../../../system/clock.ts';
import { isAlive } from '../../../system/processLife.ts';
import { thisWorld } from '../../../system/world.ts';
import { printResult } from '../../output/printResult.ts';
import { available } from '../../wiring/store/openedStore.ts';
import { openPlace } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../wiring/store/storePlace.ts';
import { thisTaskWorld } from '../../wiring/store/taskWorld.ts';
import { durationMs } from '../task/readFlags.ts';
import type { Flags } from '../task/taskOptions.ts';
import { type NightTask, nightOf } from './nightOf.ts';
import { nightMarkdown, nightText } from './nightText.ts';

const DEFAULT_SINCE = '12h';
const MOST_TASKS = 500;

/** `stopgate report`: the night, from the ledger. */
export async function runReport(options: Flags<'since' | 'store', 'here' | 'markdown' | 'json'>): Promise<number> {
  const world = thisWorld();
  const now = wallNow(world.clock);
  const from = now - durationMs('--since', options.since ?? DEFAULT_SINCE, '90m, 12h, 1d or 2w');
  const folder = options.here ? folderOf({}, { CLAUDE_PROJECT_DIR: world.cwd }) : undefined;
  const night = nightOf({
    since: new Date(from).toISOString(),
    until: new Date(now).toISOString(),
    sessions: readSessions(world.stopgateHome, { since: from, folder }),
    tasks: await settledTasks(options.store, from),
    isRunning: isAlive,
  });
  return printResult(options.json ? night : null, world, (page) =>
    options.markdown ? nightMarkdown(night) : nightText(night, page),
  );
}

/** Null where there is no store. */
async function settledTasks(flag: string | undefined, since: number): Promise<readonly NightTask[] | string | null> {
  const world = thisTaskWorld();
  const place = chooseStorePlace({ flag, ...world });
  if (place.type === 'sqlite' && !existsSync(place.path))
    return flag === undefined ? null : `No store at ${place.path}.`;
  try {
    await using store = await openPlace(place, world);
    const statuses = ['done', 'dead', 'cancelled', 'held'] as const;
    const { tasks } = available(await store.listTasks({ statuses, order: 'newest', limit: MOST_TASKS }));
    return tasks
      .filter(({ updatedAt, status }) => updatedAt >= since || status === 'held')
      .map(({ id, title, status, holdReason, lastError }) => ({ id, title, status, reason: holdReason ?? lastError }));
  } catch (error) {
    return `The task store could not be read: ${(error as Error).message}`;
  }
}
