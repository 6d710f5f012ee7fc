import type { KeptWork } from '../../fleet/worker/runWorker.ts';
import { deliverKept, keptFor } from '../../store/outbox/deliverKept.ts';
import { describeDelivery } from '../../store/outbox/describeDelivery.ts';
import type { Outbox } from '../../store/outbox/outbox.ts';
import type { Store } from '../../store/types.ts';

interface Keeping {
  /** Without the outbox: what is delivered is in it already. */
  readonly store: Store;
  readonly outbox: Outbox;
  readonly location: string;
  readonly now: () => number;
  readonly report: (sentence: string) => void;
  readonly finish?: () => Promise<void>;
}

/** The outbox of this machine, as a worker uses it. */
export function keptWork({ store, outbox, location, now, report, finish }: Keeping): KeptWork {
  return {
    ...(finish && { finish }),
    isEmpty: async () => (await keptFor(store, outbox, location)).length === 0,
    of: (attemptId) => outbox.of(attemptId),
    deliver: async () => {
      const deliveries = await deliverKept(store, outbox, location);
      for (const delivery of deliveries) {
        const sentence = describeDelivery(delivery, now());
        if (sentence !== null) report(sentence);
      }
      const last = deliveries.at(-1);
      return last?.type === 'waiting' ? last.unavailable : null;
    },
  };
}
