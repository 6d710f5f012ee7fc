import { nearestName } from '../../../system/nearestName.ts';
import { UserError } from '../../../system/userError.ts';
import { processWriter } from '../../../system/writer.ts';
import { statusLine } from '../../output/statusLine.ts';
import { available, type Store } from '../../wiring/store/openedStore.ts';
import { openTaskStoreToShow } from '../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../wiring/store/taskExit.ts';
import { printAnswer, type TaskWorld, type WaitingWorld } from '../../wiring/store/taskWorld.ts';
import { durationMs } from '../task/readFlags.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { gatherWorkers } from './gatherWorkers.ts';
import { decideWait, type WaitDecision, type WaitGoal } from './waitDecision.ts';

type WorkerWaitOptions = CommonOptions & Flags<'queue' | 'timeout', 'idle' | 'gone' | 'tasksDone'>;

/** There are no notifications about workers; each poll is a few reads. */
const POLL_MS = 250;

/** `stopgate worker wait`. */
export async function runWorkerWait(names: readonly string[], options: WorkerWaitOptions, world: WaitingWorld) {
  const goal = goalOf(options);
  const timeoutMs = durationMs('--timeout', options.timeout) ?? Number.POSITIVE_INFINITY;
  const { clock, signal } = world;
  await using store = await openTaskStoreToShow(options.store, world);
  await refuseUnknown(names, store);
  const writer = processWriter(() => {});
  const line = statusLine(writer, clock.now);
  const endAt = clock.now() + timeoutMs;
  const { queue } = options;
  let deadBefore: number | undefined;
  while (true) {
    const { workers } = await gatherWorkers(store, { queue, all: false, names });
    const counts = available(await store.counts({ queue }));
    const { limits } = available(await store.reviewLimits({ queue }));
    const full = limits.filter(({ limit, waiting }) => waiting >= limit);
    deadBefore ??= counts.dead;
    const decision = decideWait(goal, { workers, counts, deadBefore, full });
    const isOver = decision.type !== 'waiting' || clock.now() >= endAt;
    if (isOver || signal.aborted) {
      line.stop();
      return signal.aborted ? TASK_EXIT.interrupted : report(decision, goal, { options, world });
    }
    line.show(`waiting for ${decision.for}`);
    await clock.sleep(Math.min(POLL_MS, endAt - clock.now()), signal);
  }
}

/** One that has ended is known; a wait for a misspelled name would end immediately, or never. */
async function refuseUnknown(names: readonly string[], store: Store): Promise<void> {
  if (names.length === 0) return;
  const known = new Set(available(await store.workers({})).workers.map(({ id }) => id));
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const hint = nearest === undefined ? '`stopgate worker list --all` lists them.' : `did you mean ${nearest}?`;
  throw new UserError(`There is no worker ${unknown}; ${hint}`);
}

function goalOf({ idle, gone, tasksDone }: WorkerWaitOptions): WaitGoal {
  const given = [idle && 'idle', gone && 'gone', tasksDone && 'tasksDone'] as const;
  const [goal = 'tasksDone', ...others] = given.filter((one) => typeof one === 'string');
  if (others.length === 0) return goal;
  throw new UserError('Wait for one thing at a time: --idle, --gone or --tasks-done.');
}

function report(
  decision: WaitDecision,
  goal: WaitGoal,
  { options, world }: { readonly options: WorkerWaitOptions; readonly world: TaskWorld },
): number {
  const isOpen = decision.type === 'waiting';
  const type = isOpen ? 'timedOut' : decision.type;
  const sentence = isOpen ? `Timed out while waiting for ${decision.for}.` : decision.sentence;
  printAnswer(world, options, { outcome: { type, goal, sentence }, sentence, isFine: type === 'reached' });
  return EXITS[type];
}

const EXITS = { reached: TASK_EXIT.done, reachedBadly: TASK_EXIT.refused, timedOut: TASK_EXIT.timedOut } as const;
