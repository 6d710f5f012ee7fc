import { leaseOf } from '../../store/leaseOf.ts';
import type { Lease, Store } from '../../store/types.ts';

/** What this incarnation of a worker holds now. */
export async function heldBy(store: Store, workerId: string, incarnation: number): Promise<Lease | null> {
  const listed = await store.workers({ workerId });
  const worker = listed.type === 'workers' ? listed.workers.find((one) => one.incarnation === incarnation) : undefined;
  return worker === undefined ? null : leaseOf(worker);
}
