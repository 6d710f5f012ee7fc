import { pauseUntil } from '../../fleet/decisions/rateLimits.ts';
import { resetInText } from '../../fleet/decisions/resetInText.ts';
import type { Payload } from '../../hosts/callers.ts';
import { leaseOf } from '../../store/leaseOf.ts';
import type { StopWorld } from './askStop.ts';
import { openGateStore } from './openGateStore.ts';
import type { WorkerIdentity } from './workerIdentity.ts';

/**
 * A limit is the account's, never the task's: the account rests until its reset, the task goes back uncounted, and the
 * worker is nobody's dead.
 */
export async function pauseForLimit(
  payload: Payload,
  { workerId, incarnation }: WorkerIdentity,
  world: Pick<StopWorld, 'env' | 'stopgateHome'>,
): Promise<void> {
  const store = await openGateStore(world);
  if ('type' in store) return;
  const listed = await store.workers({ workerId });
  const worker = listed.type === 'workers' ? listed.workers.find((one) => one.incarnation === incarnation) : undefined;
  if (worker && listed.type === 'workers') {
    const text = [payload.error_details, payload.last_assistant_message].join(' ');
    const until = pauseUntil({ now: listed.now, ...resetInText(text, listed.now), attempt: 0, random: Math.random() });
    if (worker.accountKey !== null) {
      await store.pauseAccount({ key: worker.accountKey, until: { at: until }, source: `worker ${workerId}` });
    }
    const lease = leaseOf(worker);
    if (lease) await store.release({ lease, reason: 'rate_limited' });
  }
  await store.close();
}
