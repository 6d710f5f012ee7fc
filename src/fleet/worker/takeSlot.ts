import type { RegisterOutcome, Store, Worker, WorkerFacts } from '../../store/types.ts';

export interface SlotWish {
  readonly store: Store;
  readonly workerId: string;
  /** Reserved by whoever started us; the next one otherwise. */
  readonly incarnation?: number | undefined;
  readonly facts: WorkerFacts;
  /** Keeps what a worker that is gone left uncommitted. */
  readonly keepLost: (worker: Worker) => Promise<void>;
  /** True when the process of a worker on this host is known to be gone. */
  readonly isGone: (worker: Worker) => boolean;
}

/** A slot whose last process is gone is taken over, with its task back in the queue; one that lives is left alone. */
export async function takeSlot(wish: SlotWish): Promise<RegisterOutcome> {
  const { store, facts, workerId, incarnation, isGone, keepLost } = wish;
  const asked = { ...facts, workerId, incarnation };
  const registered = await store.registerWorker(asked);
  if (registered.type !== 'occupied' || !isGone(registered.worker)) return registered;
  await keepLost(registered.worker);
  const { id, incarnation: before } = registered.worker;
  const reason = 'its process was gone when its slot was taken over';
  await store.reap({ workerId: id, incarnation: before, evidence: 'exited', staleAfterMs: 0, graceMs: 0, reason });
  return store.registerWorker(asked);
}
