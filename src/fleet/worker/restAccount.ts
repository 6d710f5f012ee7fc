import type { AttemptDetails, Lease, RequeueOutcome, Store, Task } from '../../store/types.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { decideAccountRest } from '../decisions/accountRest.ts';

export interface RestingAccount {
  readonly store: Store;
  readonly workerId: string;
  /** Null: it shares its limits with nobody. */
  readonly account: string | null;
  readonly lease: Lease | null;
  /** As a StopFailure hook is told it. */
  readonly error: string;
  readonly text: string;
  /** Wall time: the text may name a time of day. */
  readonly now: number;
  readonly details?: AttemptDetails | undefined;
}

/**
 * A refusal is the account's, never the task's: the account rests, the task goes back without blame, and the worker is
 * nobody's dead. Null when there was nothing to give back, or the error is not one that others would meet.
 */
export async function restAccount(resting: RestingAccount): Promise<RequeueOutcome | null> {
  const { store, workerId, account, lease, error, details } = resting;
  const found = lease && (await store.task({ id: lease.taskId }));
  const refusals = found?.type === 'found' ? uncountedStarts(found.task) : 0;
  const rest = decideAccountRest({ ...resting, refusals, random: Math.random() });
  if (rest === null) return null;
  if (account !== null) {
    const ms = rest.untilAt - resting.now;
    await store.pauseAccount({ key: account, until: { ms }, source: `${error}, worker ${workerId}` });
  }
  return lease && store.release({ lease, reason: rest.release, details });
}

/** Starts before this one that counted for nothing: each met a limit, or its worker was drained. */
const uncountedStarts = ({ epoch, failures, reclaims, releases }: Task) =>
  Math.max(0, epoch - 1 - failures - reclaims - releases);

/** How long an account rests from now and why, in words; null when it does not. */
export async function restOf(store: Store, account: string | null | undefined): Promise<string | null> {
  const listed = await store.accounts();
  if (listed.type !== 'accounts') return null;
  const { pausedUntil = null, source = null } = listed.accounts.find(({ key }) => key === account) ?? {};
  if (pausedUntil === null) return null;
  return `${formatSeconds(pausedUntil - listed.now)}${source === null ? '' : ` (${source})`}`;
}
