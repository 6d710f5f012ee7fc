import { leaseOfAttempt } from '../../../../store/leaseOf.ts';
import type { Environment } from '../../../../system/environment.ts';
import { UserError } from '../../../../system/userError.ts';
import { type Attempt, available, type Lease, type Store } from '../../../wiring/store/openedStore.ts';
import { ownWorker } from '../../../wiring/store/ownWorker.ts';
import { findTaskId } from '../findTask.ts';
import { wholeNumber } from '../readFlags.ts';
import type { Flags } from '../taskOptions.ts';

export type SettleFlags = Flags<'epoch' | 'attempt' | 'worker'>;

/** A lease, and the store that it is of. */
export interface Claim {
  readonly lease: Lease;
  readonly store: Store;
  /** What its worker noted, when the store cannot be asked. */
  readonly known?: { readonly title: string; readonly body: string; readonly worktree: string | null };
}

/**
 * The lease to settle with: by `--epoch` or `--attempt`, by the environment that a supervisor set, or the latest claim of
 * this worker. Never simply the task's latest claim: a superseded worker would then settle for its successor.
 */
export async function findLease(store: Store, id: string | undefined, flags: SettleFlags, env: Environment) {
  const { wanted, epoch, attemptId } = proofFrom(id, flags, env);
  const [taskId, attempts] = await attemptsOf(store, wanted);
  if (epoch !== undefined || attemptId !== undefined) {
    const found = attempts.find(
      (one) => (epoch === undefined || one.epoch === epoch) && (attemptId === undefined || one.id === attemptId),
    );
    if (found) return leaseOfAttempt(found);
    const named = [epoch !== undefined && `epoch ${epoch}`, attemptId !== undefined && `attempt ${attemptId}`];
    throw new UserError(
      `Task ${taskId} was never claimed with ${named.filter(Boolean).join(' and ')}; \`stopgate task show ${taskId}\` shows its claims.`,
    );
  }
  const own = ownWorker(flags.worker, env).name;
  const latest = attempts.findLast(({ workerId }) => workerId === own);
  if (latest) return leaseOfAttempt(latest);
  throw new UserError(
    `Add --epoch N, as printed by \`stopgate task claim\`: the worker ${own} has no claim on task ${taskId}.`,
  );
}

/** Whether a lease is the one that the id, the flags and the environment name. */
export function isMeant(
  { taskId, epoch, attemptId }: Lease,
  id: string | undefined,
  flags: SettleFlags,
  env: Environment,
): boolean {
  const proof = proofFrom(id, flags, env);
  if (!taskId.startsWith(proof.wanted)) return false;
  return (proof.epoch ?? epoch) === epoch && (proof.attemptId ?? attemptId) === attemptId;
}

/** Identifies one attempt; the store then decides whether it is still valid. */
function proofFrom(id: string | undefined, flags: SettleFlags, env: Environment) {
  const inherited = env.STOPGATE_TASK_ID || undefined;
  const wanted = id ?? inherited;
  if (wanted === undefined) throw new UserError('Name the task: its id, as printed by `stopgate task claim`.');
  // also when only the beginning of the inherited id is given
  if (!inherited?.startsWith(wanted)) return proofOf(wanted, '--epoch', flags);
  const isProven = flags.epoch !== undefined || flags.attempt !== undefined || flags.worker !== undefined;
  if (isProven) return proofOf(inherited, '--epoch', flags);
  const { STOPGATE_TASK_EPOCH: epoch, STOPGATE_ATTEMPT_ID: attempt } = env;
  return proofOf(inherited, 'STOPGATE_TASK_EPOCH', { ...(epoch && { epoch }), ...(attempt && { attempt }) });
}

function proofOf(wanted: string, name: string, { epoch, attempt: attemptId }: SettleFlags) {
  return { wanted, epoch: wholeNumber(name, epoch, { least: 1 }), attemptId };
}

/** Tries the whole id first: that takes a single read. */
async function attemptsOf(store: Store, id: string): Promise<[string, readonly Attempt[]]> {
  const { attempts } = available(await store.attempts({ taskId: id }));
  if (attempts.length > 0) return [id, attempts];
  const taskId = await findTaskId(store, id);
  return [taskId, available(await store.attempts({ taskId })).attempts];
}
