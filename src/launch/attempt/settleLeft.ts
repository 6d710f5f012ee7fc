import { UNSETTLED } from '../../fleet/decisions/stopReasons.ts';
import { pauseAccount } from '../../fleet/worker/pauseAccount.ts';
import type { AgentEnd } from '../../fleet/worker/runWorker.ts';
import { redactSecrets } from '../../models/redactSecrets.ts';
import type { AttemptDetails, Lease, Store } from '../../store/types.ts';
import { type Clock, wallNow } from '../../system/clock.ts';

export interface LeftTask {
  readonly store: Store;
  readonly clock: Clock;
  readonly lease: Lease;
  readonly end: AgentEnd;
  readonly account: string;
  /** It had no way to settle its task itself: how it ended is the verdict. */
  readonly exitCodeCounts: boolean;
  /** Asked before an exit code of 0 completes it: null, or what of the definition of done does not hold. */
  readonly whyNotDone: () => Promise<string | null>;
  readonly tail: string;
  /** Values that must not be stored, whatever printed them. */
  readonly secrets: readonly string[];
  readonly details: AttemptDetails;
}

/** What becomes of a task whose agent is gone and did not settle it; true when it is done by that. */
export async function settleLeft(left: LeftTask): Promise<boolean> {
  const tail = redactSecrets(left.tail, left.secrets);
  const { timedOut, ending } = left.end;
  const settle = timedOut === undefined ? WAYS[ending] : TIMED_OUT[timedOut];
  const outcome = await settle({ ...left, tail });
  return outcome?.type === 'accepted';
}

type Way = (left: LeftTask) => Promise<{ readonly type: string } | null>;

const fail: Way = ({ store, lease, end, tail, details }) => store.fail({ lease, error: errorOf(end, tail), details });

const withTail = (error: string, tail: string) => [error, lastLines(tail)].filter((part) => part !== '').join('\n');
const errorOf = ({ why }: AgentEnd, tail: string) => withTail(why, tail);

/** What changed the tree is continued by the next attempt, and counts as no failure. */
const TIMED_OUT: { readonly [Kind in NonNullable<AgentEnd['timedOut']>]: Way } = {
  release: ({ store, lease, details, tail }) =>
    store.release({ lease, reason: 'timed_out', details, checkpoint: lastLines(tail) }),
  fail: ({ store, lease, end, tail, details }) =>
    store.fail({ lease, reason: 'timed_out', error: errorOf(end, tail), details }),
};

const WAYS: { readonly [Ending in AgentEnd['ending']]: Way } = {
  clean: async (left) => {
    const { store, lease, details, tail, exitCodeCounts } = left;
    if (exitCodeCounts) {
      const why = await left.whyNotDone();
      if (why !== null) return store.fail({ lease, error: withTail(redactSecrets(why, left.secrets), tail), details });
      return store.complete({ lease, result: lastLines(tail), details });
    }
    // a start that settles nothing is a try: without this the task would be started again and again
    return store.fail({ lease, error: withTail(UNSETTLED, tail), details });
  },
  rateLimited: ({ clock, lease, tail, end, ...left }) => {
    const { error, text } = end.trouble ?? { error: 'rate_limit', text: tail };
    return pauseAccount({ ...left, lease, workerId: lease.workerId, error, text, now: wallNow(clock) });
  },
  drained: ({ store, lease, details, tail }) =>
    store.release({ lease, reason: 'drained', details, checkpoint: lastLines(tail) }),
  idle: ({ store, lease, details }) => store.release({ lease, reason: 'released', details }),
  crashed: fail,
  // nobody has looked at the task yet
  launchFailed: ({ store, lease, details }) => store.release({ lease, reason: 'unserved', details }),
};

const lastLines = (tail: string) => tail.trim().split('\n').slice(-20).join('\n');
