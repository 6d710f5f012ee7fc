import { setTimeout as sleep } from 'node:timers/promises';
import type { Store, StoreEvent, Unavailable } from '../../../src/store/types.ts';

/** The parent's store goes away too; it only ever asks what may be asked again. */
export async function persist<Outcome extends { readonly type: string }>(
  request: () => Promise<Outcome>,
): Promise<Exclude<Outcome, Unavailable>> {
  for (;;) {
    const outcome = await request();
    if (outcome.type !== 'unavailable') return outcome as Exclude<Outcome, Unavailable>;
    await sleep(50);
  }
}

interface Followed {
  epoch: number;
  live: string | null;
  accepted: string | null;
}

/** What the feed says while it all happens. */
export interface Watch {
  readonly events: readonly StoreEvent[];
  readonly completed: number;
  /** Broken promises, in words. */
  readonly problems: readonly string[];
  count(kind: StoreEvent['kind']): number;
  /** Reads on until nothing is left. */
  catchUp(): Promise<void>;
  /** Ends the following. */
  stop(): Promise<void>;
}

/** Follows the feed as it grows and holds every event against what may come next for its task. */
export function watchFeed(store: Store): Watch {
  const tasks = new Map<string, Followed>();
  const events: StoreEvent[] = [];
  const problems: string[] = [];
  let completed = 0;
  let going = true;

  const read = async (): Promise<number> => {
    const after = events.at(-1)?.cursor;
    const page = await persist(() => store.events({ limit: 500, ...(after !== undefined && { after }) }));
    for (const event of page.events) {
      events.push(event);
      if (event.kind === 'task.completed') completed += 1;
      const problem = follow(tasks, event);
      if (problem) problems.push(`${problem}: ${JSON.stringify(event)}`);
    }
    return page.events.length;
  };
  const follows = (async () => {
    while (going) if ((await read()) === 0) await sleep(20);
  })();
  return {
    events,
    problems,
    get completed() {
      return completed;
    },
    count: (kind) => events.filter((event) => event.kind === kind).length,
    catchUp: async () => {
      while ((await read()) > 0);
    },
    stop: () => {
      going = false;
      return follows;
    },
  };
}

type Step = (task: Followed, event: StoreEvent) => string | undefined;

const claimed: Step = (task, { epoch, attemptId }) => {
  const before = { ...task };
  task.epoch = epoch ?? 0;
  task.live = attemptId;
  if (before.live !== null) return `I1: claimed while ${before.live} has it`;
  if (before.accepted !== null) return `I4: claimed although ${before.accepted} was accepted`;
  return epoch === before.epoch + 1 ? undefined : `I5: epoch ${epoch} after ${before.epoch}`;
};

const completed: Step = (task, { epoch, attemptId, data }) => {
  const before = { ...task };
  task.accepted = attemptId;
  task.live = null;
  if (before.accepted !== null) return `I4: accepted twice, first ${before.accepted}`;
  if (epoch !== before.epoch) return `I9: accepted with epoch ${epoch}, the latest is ${before.epoch}`;
  return before.live === (data.late ? null : attemptId) ? undefined : `I1: accepted while ${before.live} has it`;
};

const givenUp: Step = (task, { attemptId }) => {
  const before = task.live;
  task.live = null;
  return before === attemptId ? undefined : `I1: given up by ${attemptId} while ${before} has it`;
};

const STEPS: Partial<Record<StoreEvent['kind'], Step>> = {
  'task.claimed': claimed,
  'task.offered': claimed,
  'task.completed': completed,
  'task.failed': givenUp,
  'task.released': givenUp,
  'task.lost': givenUp,
  'task.offerExpired': givenUp,
};

function follow(tasks: Map<string, Followed>, event: StoreEvent): string | undefined {
  if (event.taskId === null) return undefined;
  const known = tasks.get(event.taskId);
  if (event.kind === 'task.added') {
    tasks.set(event.taskId, { epoch: 0, live: null, accepted: null });
    return known && 'I6: added twice';
  }
  return known ? STEPS[event.kind]?.(known, event) : 'I6: told before it was added';
}
