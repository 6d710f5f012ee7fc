import { findTask } from '../findTask.ts';
import { available, type ClaimOutcome } from '../openedStore.ts';
import { openTaskStore } from '../openTaskStore.ts';
import { durationMs } from '../readFlags.ts';
import { TASK_EXIT } from '../taskExit.ts';
import type { TaskWorld } from '../taskWorld.ts';
import { claimTask } from './claimTask.ts';
import { claimedText, emptySentence, refusalSentence } from './claimWords.ts';
import { ownWorker } from './ownWorker.ts';

export interface ClaimOptions {
  readonly worker?: string;
  readonly type?: readonly string[];
  readonly queue?: string;
  readonly task?: string;
  readonly wait?: string;
  readonly json?: true;
  readonly store?: string;
}

/** `stopgate task claim`: takes one task for whoever calls, and says how to settle it. */
export async function runClaim(options: ClaimOptions, world: TaskWorld, signal: AbortSignal): Promise<number> {
  const waitMs = options.wait === undefined ? 0 : durationMs('--wait', options.wait);
  const own = ownWorker(options.worker, world.env);
  await using store = await openTaskStore(options.store, world);
  const task = options.task === undefined ? undefined : await findTask(store, options.task);
  const wish = { own, queue: options.queue, types: options.type, task, waitMs };
  const end = await claimTask(wish, { store, now: () => world.clock.now(), signal });
  if (end.type === 'interrupted') return TASK_EXIT.interrupted;
  const outcome = available(end);
  if (options.json) world.say(`${JSON.stringify(outcome)}\n`);
  else tell(outcome, { world, worker: own.name, storeFlag: options.store !== undefined });
  return exitOf(outcome);
}

interface Telling {
  readonly world: TaskWorld;
  readonly worker: string;
  readonly storeFlag: boolean;
}

type Answered = Exclude<ClaimOutcome, { type: 'unavailable' }>;

function tell(outcome: Answered, { world, worker, storeFlag }: Telling): void {
  const now = world.clock.now();
  if (outcome.type === 'claimed') world.say(claimedText(outcome, { now, storeFlag }));
  else world.warn(outcome.type === 'empty' ? emptySentence(outcome, now) : refusalSentence(outcome, worker, now));
}

/** Workers that are asked to wait or to go find nothing, as far as a loop is concerned. */
const LIKE_EMPTY: readonly string[] = ['accountPaused', 'draining', 'taskNotReady'];

function exitOf(outcome: Answered): number {
  if (outcome.type === 'claimed') return TASK_EXIT.done;
  if (outcome.type === 'empty' || LIKE_EMPTY.includes(outcome.reason)) return TASK_EXIT.nothing;
  return outcome.reason === 'staleIncarnation' ? TASK_EXIT.notYours : TASK_EXIT.wrongUse;
}
