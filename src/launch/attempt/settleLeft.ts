import { UNSETTLED } from '../../fleet/decisions/stopReasons.ts';
import { pauseAccount } from '../../fleet/worker/pauseAccount.ts';
import type { AgentEnd } from '../../fleet/worker/runWorker.ts';
import { NO_WORK_WORDS } from '../../stop/runEnding.ts';
import type { AttemptDetails, Lease, Store } from '../../store/types.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import { redactSecrets } from '../../system/redactSecrets.ts';
import type { AgentTail } from './agentOutput.ts';

export interface LeftTask {
  readonly store: Store;
  readonly clock: Clock;
  readonly lease: Lease;
  readonly end: AgentEnd;
  readonly account: string;
  /** The agent cannot settle its task: its exit code does. */
  readonly exitCodeCounts: boolean;
  /** Called before an exit code of 0 completes the task: null, or why the definition of done is not met. */
  readonly whyNotDone: () => Promise<string | null>;
  readonly tail: Readonly<AgentTail>;
  /** Values that must not be stored. */
  readonly secrets: readonly string[];
  readonly details: AttemptDetails;
}

/** Settles a task whose agent is gone and did not settle it; true when the store accepted that. */
export async function settleLeft(left: LeftTask): Promise<boolean> {
  const { text, errors } = left.tail;
  const tail = { text: redactSecrets(text, left.secrets), errors: redactSecrets(errors, left.secrets) };
  const settle = wayOf(left.end);
  const outcome = await settle({ ...left, tail });
  return outcome?.type === 'accepted';
}

function wayOf({ timedOut, ending, overBudget, noFolder }: AgentEnd): Way {
  if (overBudget !== undefined) return failForGood;
  if (noFolder !== undefined) return noFolder.isFinal ? fail : askLater;
  return timedOut === undefined ? WAYS[ending] : TIMED_OUT[timedOut];
}

type Way = (left: LeftTask) => Promise<{ readonly type: string } | null>;

const fail: Way = ({ store, lease, end, tail, details }) => store.fail({ lease, error: errorOf(end, tail), details });

/** Another attempt would have nothing to spend. */
const failForGood: Way = ({ store, lease, end, tail, details }) =>
  store.fail({ lease, error: withTail(end.overBudget ?? end.why, tail), final: true, details });

/** A remote that does not answer is not the task's fault. */
const LATER_MS = 60_000;

const askLater: Way = ({ store, lease, end, details }) =>
  store.release({ lease, reason: 'unserved', delayMs: LATER_MS, details, checkpoint: end.why });

const withTail = (error: string, { text, errors }: LeftTask['tail']) =>
  [error, lastLines(errors), lastLines(text)].filter((part) => part !== '').join('\n');
const errorOf = (end: AgentEnd, tail: LeftTask['tail']) => withTail(withLeft(end.why, end), tail);

const NO_WORK = `No work: ${NO_WORK_WORDS}. The agent exited with 0 and did not settle its task.`;

/** In the record of the attempt, since its work may be unfinished. */
const withLeft = (text: string, { left }: AgentEnd) =>
  [text, ...(left === undefined ? [] : [`Left running, now ended: ${left}.`])].filter((part) => part !== '').join('\n');

/** Changed files mean progress: the next attempt continues, and it does not count as a failure. */
const TIMED_OUT: { readonly [Kind in NonNullable<AgentEnd['timedOut']>]: Way } = {
  release: ({ store, lease, details, tail }) =>
    store.release({ lease, reason: 'timed_out', details, checkpoint: lastLines(tail.text) }),
  fail: ({ store, lease, end, tail, details }) =>
    store.fail({ lease, reason: 'timed_out', error: errorOf(end, tail), details }),
};

const clean: Way = async (left) => {
  const { store, lease, details, tail, exitCodeCounts } = left;
  if (exitCodeCounts) {
    const why = await left.whyNotDone();
    if (why !== null) return store.fail({ lease, error: withTail(redactSecrets(why, left.secrets), tail), details });
    return store.complete({ lease, result: withLeft(lastLines(tail.text), left.end), details });
  }
  // counts as a failure, or the task would be started again and again
  const error = left.end.noWork === true ? NO_WORK : UNSETTLED;
  return store.fail({ lease, error: withTail(withLeft(error, left.end), tail), details });
};

const WAYS: { readonly [Ending in AgentEnd['ending']]: Way } = {
  clean,
  rateLimited: ({ clock, lease, tail, end, ...left }) => {
    const { error, text } = end.trouble ?? { error: 'rate_limit', text: tail.text };
    return pauseAccount({ ...left, lease, workerId: lease.workerId, error, text, now: wallNow(clock) });
  },
  drained: (left) => {
    const { store, lease, details, tail, end, exitCodeCounts } = left;
    // a drain lets it finish: returned, its work would be done again
    if (exitCodeCounts && end.hasFinished === true) return clean(left);
    return store.release({ lease, reason: 'drained', details, checkpoint: lastLines(tail.text) });
  },
  idle: ({ store, lease, details }) => store.release({ lease, reason: 'released', details }),
  crashed: fail,
  // no agent has seen the task yet
  launchFailed: ({ store, lease, details }) => store.release({ lease, reason: 'unserved', details }),
};

const lastLines = (tail: string) => tail.trim().split('\n').slice(-20).join('\n');
