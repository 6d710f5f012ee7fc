import { existsSync } from 'node:fs';
import { isUnlanded } from '../../../launch/land/landingLease.ts';
import { folderOf } from '../../../stop/ledger.ts';
import { readSessions } from '../../../stop/readLedger.ts';
import { IN_LANDING, REVIEWABLE } from '../../../store/review.ts';
import { wallNow } from '../../../system/clock.ts';
import { isAlive } from '../../../system/processLife.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { printResult } from '../../output/printResult.ts';
import { available, storeAheadMs } from '../../wiring/store/openedStore.ts';
import { openTaskStoreToShow, UNAVAILABLE_EXIT } from '../../wiring/store/openTaskStore.ts';
import { chooseStorePlace } from '../../wiring/store/storePlace.ts';
import { thisTaskWorld } from '../../wiring/store/taskWorld.ts';
import { durationMs } from '../task/readFlags.ts';
import type { Flags } from '../task/taskOptions.ts';
import { type NightFacts, nightOf } from './nightOf.ts';
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
    ...(await inStore(options.store, from)),
    isRunning: isAlive,
  });
  await printResult(options.json ? night : null, world, (page) =>
    options.markdown ? nightMarkdown(night) : nightText(night, page),
  );
  return night.reviews === null ? UNAVAILABLE_EXIT : 0;
}

/** Tasks that ended, and what waits for review; null where there is no store. `since`: by this machine's clock. */
async function inStore(
  flag: string | undefined,
  since: number,
): Promise<Pick<NightFacts, 'tasks' | 'reviews' | 'unlanded'>> {
  const world = thisTaskWorld();
  const place = chooseStorePlace({ flag, ...world });
  if (flag === undefined && place.type === 'sqlite' && !existsSync(place.path)) return { tasks: null };
  try {
    await using store = await openTaskStoreToShow(flag, world);
    const statuses = ['done', 'dead', 'cancelled', 'held'] as const;
    const { tasks } = available(await store.listTasks({ statuses, order: 'newest', limit: MOST_TASKS }));
    const { reviews } = available(await store.reviews({ states: [...REVIEWABLE, ...IN_LANDING], limit: MOST_TASKS }));
    const sinceThere = since + (await storeAheadMs(store, world.clock));
    const settled = tasks
      .filter(({ updatedAt, status }) => updatedAt >= sinceThere || status === 'held')
      .map(({ id, title, status, holdReason, lastError }) => ({ id, title, status, reason: holdReason ?? lastError }));
    return {
      tasks: settled,
      reviews: reviews.filter(({ state }) => REVIEWABLE.includes(state)).length,
      unlanded: reviews.filter(isUnlanded).length,
    };
  } catch (error) {
    if (error instanceof UserError && error.exitCode !== UNAVAILABLE_EXIT) throw error;
    return { tasks: `The task store could not be read: ${(error as Error).message}` };
  }
}
