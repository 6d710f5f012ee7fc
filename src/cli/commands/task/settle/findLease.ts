import { UserError } from '../../../../system/userError.ts';
import { type Attempt, available, type Lease, type Store } from '../../../wiring/store/openedStore.ts';
import { ownWorker } from '../../../wiring/store/ownWorker.ts';
import { findTaskId } from '../findTask.ts';
import { wholeNumber } from '../readFlags.ts';

export interface SettleFlags {
  readonly epoch?: string;
  readonly attempt?: string;
  readonly worker?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Which claim somebody speaks of. All three ways name one attempt; the store then decides whether it still counts. */
interface ClaimProof {
  readonly id: string;
  readonly epoch?: number;
  readonly attemptId?: string;
}

/**
 * The lease to settle with: by `--epoch` or `--attempt`, by what a supervisor put into the environment, or the latest claim
 * of this very worker. Never simply the task's latest claim: who was replaced would then settle for who replaced it.
 */
export async function findLease(store: Store, id: string | undefined, flags: SettleFlags, env: Env): Promise<Lease> {
  const proof = proofFrom(id, flags, env);
  const [taskId, attempts] = await attemptsOf(store, proof.id);
  const { epoch, attemptId } = proof;
  if (epoch !== undefined || attemptId !== undefined) {
    const found = attempts.find(
      (one) => (epoch === undefined || one.epoch === epoch) && (attemptId === undefined || one.id === attemptId),
    );
    if (found) return leaseOf(found);
    const named = [epoch !== undefined && `epoch ${epoch}`, attemptId !== undefined && `attempt ${attemptId}`];
    throw new UserError(
      `Task ${taskId} was never claimed with ${named.filter(Boolean).join(' and ')}; ${LOOK(taskId)}`,
    );
  }
  const own = ownWorker(flags.worker, env).name;
  const latest = attempts.findLast(({ workerId }) => workerId === own);
  if (latest) return leaseOf(latest);
  throw new UserError(
    `Say which claim of ${taskId} you settle: --epoch N, as \`stopgate task claim\` printed it (${own} has no claim on it).`,
  );
}

const LOOK = (taskId: string) => `\`stopgate task show ${taskId}\` shows its claims.`;

function proofFrom(id: string | undefined, flags: SettleFlags, env: Env): ClaimProof {
  const inherited = env.STOPGATE_TASK_ID || undefined;
  const wanted = id ?? inherited;
  if (wanted === undefined) throw new UserError('Say which task: its id, as `stopgate task claim` printed it.');
  const isInherited = inherited !== undefined && (wanted === inherited || inherited.startsWith(wanted));
  const fromEnv = isInherited && flags.epoch === undefined && flags.attempt === undefined && flags.worker === undefined;
  const epoch = fromEnv ? env.STOPGATE_TASK_EPOCH || undefined : flags.epoch;
  const attemptId = fromEnv ? env.STOPGATE_ATTEMPT_ID || undefined : flags.attempt;
  return {
    id: isInherited ? inherited : wanted,
    ...(epoch === undefined ? {} : { epoch: wholeNumber(fromEnv ? 'STOPGATE_TASK_EPOCH' : '--epoch', epoch, 1) }),
    ...(attemptId === undefined ? {} : { attemptId }),
  };
}

/** By the whole id first: that needs one look only. */
async function attemptsOf(store: Store, id: string): Promise<[string, readonly Attempt[]]> {
  const { attempts } = available(await store.attempts({ taskId: id }));
  if (attempts.length > 0) return [id, attempts];
  const taskId = await findTaskId(store, id);
  return [taskId, available(await store.attempts({ taskId })).attempts];
}

function leaseOf({ taskId, id, epoch, workerId, incarnation }: Attempt): Lease {
  return { taskId, attemptId: id, epoch, workerId, incarnation };
}
