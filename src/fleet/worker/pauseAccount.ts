import type { AttemptDetails, Lease, RequeueOutcome, Store, Task } from '../../store/types.ts';
import { formatSeconds } from '../../system/formatDuration.ts';
import { type AccountTrouble, decideAccountPause } from '../decisions/accountTrouble.ts';

export interface AccountRefusal extends Pick<AccountTrouble, 'error' | 'text' | 'now'> {
  readonly store: Store;
  readonly workerId: string;
  /** Null: it shares its limits with no other worker. */
  readonly account: string | null;
  readonly lease: Lease | null;
  readonly details?: AttemptDetails | undefined;
}

/**
 * A refusal is the account's fault, never the task's: pauses the account and releases the task without blame. Null when there
 * was no task to release, or when other workers would not get this error.
 */
export async function pauseAccount(refusal: AccountRefusal): Promise<RequeueOutcome | null> {
  const { store, workerId, account, lease, error, details } = refusal;
  const found = lease && (await store.task({ id: lease.taskId }));
  const refusals = found?.type === 'found' ? uncountedStarts(found.task) : 0;
  const pause = await shortestPause({ ...refusal, refusals, random: Math.random() });
  if (pause === null) return null;
  const { ms } = pause;
  if (account !== null) {
    await store.pauseAccount({ key: account, until: { ms }, source: `${error}, worker ${workerId}` });
  }
  // without an account to pause, the task waits itself: it would meet the same refusal again immediately
  return lease && store.release({ lease, reason: pause.release, details, ...(account === null && { delayMs: ms }) });
}

/**
 * A provider's time of day is read by this machine's clock and by the store's: for one that is hours off, a reset that is minutes away
 * is one of tomorrow. Of the two the sooner one counts; if it is too soon, the next refusal pauses again.
 */
async function shortestPause(trouble: AccountTrouble & Pick<AccountRefusal, 'store'>) {
  const about = await trouble.store.about({});
  const clocks = [trouble.now, ...(about.type === 'about' ? [about.now] : [])];
  const pauses = clocks.flatMap((now) => {
    const pause = decideAccountPause({ ...trouble, now });
    return pause === null ? [] : [{ ...pause, ms: pause.untilAt - now }];
  });
  return pauses.toSorted((one, other) => one.ms - other.ms)[0] ?? null;
}

/** Earlier starts that increased no counter: each hit a limit, or its worker was drained. */
const uncountedStarts = ({ epoch, failures, reclaims, releases }: Task) =>
  Math.max(0, epoch - 1 - failures - reclaims - releases);

/** How much longer an account is paused, and why; null when it is not. */
export async function describePause(store: Store, account: string | null | undefined): Promise<string | null> {
  const listed = await store.accounts();
  if (listed.type !== 'accounts') return null;
  const { pausedUntil = null, source = null } = listed.accounts.find(({ key }) => key === account) ?? {};
  if (pausedUntil === null) return null;
  return `${formatSeconds(pausedUntil - listed.now)}${source === null ? '' : ` (${source})`}`;
}
