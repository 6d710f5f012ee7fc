import { UserError } from '../../../system/userError.ts';
import { processWriter } from '../../../system/writer.ts';
import { statusLine } from '../../output/statusLine.ts';
import { available, type Store } from '../../wiring/store/openedStore.ts';
import { openTaskStoreToRead } from '../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../wiring/store/taskWorld.ts';
import { durationMs } from '../task/readFlags.ts';
import type { CommonOptions } from '../task/taskOptions.ts';
import { gatherWorkers } from './gatherWorkers.ts';
import { decideWait, type WaitDecision, type WaitFacts, type WaitGoal } from './waitDecision.ts';

export interface WorkerWaitOptions extends CommonOptions {
  readonly idle?: true;
  readonly gone?: true;
  readonly tasksDone?: true;
  readonly queue?: string;
  readonly timeout?: string;
}

/** There are no notifications about workers; each poll is a few reads. */
const POLL_MS = 250;

/** `stopgate worker wait`. */
export async function runWorkerWait(
  names: readonly string[],
  options: WorkerWaitOptions,
  { world, signal }: { readonly world: TaskWorld; readonly signal: AbortSignal },
): Promise<number> {
  const goal = goalOf(options);
  const timeoutMs = options.timeout === undefined ? Number.POSITIVE_INFINITY : durationMs('--timeout', options.timeout);
  const { clock } = world;
  await using store = await openTaskStoreToRead(options.store, world);
  const line = statusLine(
    processWriter(() => {}),
    () => clock.now(),
  );
  const endAt = clock.now() + timeoutMs;
  const before = await factsFrom(store, names, { queue: options.queue, deadBefore: 0 });
  const deadBefore = before.counts.dead;
  for (let facts = { ...before, deadBefore }; ; ) {
    const decision = decideWait(goal, facts);
    const isOver = decision.type !== 'waiting' || clock.now() >= endAt;
    if (isOver || signal.aborted) {
      line.stop();
      return signal.aborted ? TASK_EXIT.interrupted : report(decision, goal, { options, world });
    }
    line.show(`waiting for ${decision.for}`);
    await clock.sleep(Math.min(POLL_MS, endAt - clock.now()), signal);
    facts = await factsFrom(store, names, { queue: options.queue, deadBefore });
  }
}

function goalOf({ idle, gone, tasksDone }: WorkerWaitOptions): WaitGoal {
  const given: readonly (WaitGoal | undefined)[] = [idle && 'idle', gone && 'gone', tasksDone && 'tasksDone'];
  const [goal = 'tasksDone', ...others] = given.filter((one) => one !== undefined);
  if (others.length === 0) return goal;
  throw new UserError('Wait for one thing at a time: --idle, --gone or --tasks-done.');
}

async function factsFrom(
  store: Store,
  names: readonly string[],
  { queue, deadBefore }: { readonly queue: string | undefined; readonly deadBefore: number },
): Promise<WaitFacts> {
  const { workers } = await gatherWorkers(store, { queue, all: false, names });
  return { workers, counts: available(await store.counts({ queue })), deadBefore };
}

function report(
  decision: WaitDecision,
  goal: WaitGoal,
  { options, world }: { readonly options: WorkerWaitOptions; readonly world: TaskWorld },
): number {
  const isOpen = decision.type === 'waiting';
  const type = isOpen ? 'timedOut' : decision.type;
  const sentence = isOpen ? `Timed out while waiting for ${decision.for}.` : decision.sentence;
  if (options.json) world.print(`${JSON.stringify({ type, goal, sentence })}\n`);
  else if (type === 'reached') world.print(`${sentence}\n`);
  else world.warn(sentence);
  return EXITS[type];
}

const EXITS = { reached: TASK_EXIT.done, reachedBadly: TASK_EXIT.refused, timedOut: TASK_EXIT.timedOut } as const;
