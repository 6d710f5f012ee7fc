import { newClaimKey } from '../../../../system/ids.ts';
import { available, type CompleteRequest, type Lease, type Store } from '../../../wiring/store/openedStore.ts';

/** What the worker of a lease would claim next: of the queue and the types that it registered for. */
export async function nextWanted(store: Store, { workerId }: Lease): Promise<NonNullable<CompleteRequest['next']>> {
  const [worker] = available(await store.workers({ workerId })).workers;
  return { claimKey: newClaimKey(), queue: worker?.queue, types: worker?.types ?? undefined };
}
