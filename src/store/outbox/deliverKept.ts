import type { Store, Unavailable } from '../types.ts';
import { locationsOf } from './locationsOf.ts';
import type { Outbox } from './outbox.ts';
import { type KeptSettlement, whyRefused } from './settlement.ts';

/** The outcome for a settlement that was kept. */
export type Delivery =
  | { readonly type: 'delivered'; readonly settlement: KeptSettlement }
  | { readonly type: 'refused'; readonly settlement: KeptSettlement; readonly why: string }
  | { readonly type: 'waiting'; readonly settlement: KeptSettlement; readonly unavailable: Unavailable };

type SettledOutcome = { readonly type: string } | Unavailable;

type Send = (store: Store, request: never) => Promise<SettledOutcome>;

const SENDERS: { readonly [Operation in KeptSettlement['operation']]: Send } = {
  complete: (store, request) => store.complete(request),
  fail: (store, request) => store.fail(request),
  release: (store, request) => store.release(request),
};

export const sendSettlement = (store: Store, { operation, request }: KeptSettlement): Promise<SettledOutcome> =>
  SENDERS[operation](store, request as never);

/**
 * Delivers what was kept for this store. Harmless when several processes do it at the same time, or when the store already has one: a
 * settlement carries its lease, and a repeated one gets the same answer. Ends at the first that the store cannot take.
 */
export async function deliverKept(store: Store, outbox: Outbox, location: string): Promise<readonly Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const settlement of await keptFor(store, outbox, location)) {
    const delivery = await deliver(store, outbox, { settlement, location });
    if (delivery === null) continue;
    deliveries.push(delivery);
    if (delivery.type === 'waiting') break;
  }
  return deliveries;
}

interface Sent {
  readonly settlement: KeptSettlement;
  readonly location: string;
}

async function deliver(store: Store, outbox: Outbox, { settlement, location }: Sent): Promise<Delivery | null> {
  const outcome = await sendSettlement(store, settlement);
  if (outcome.type === 'unavailable') return { type: 'waiting', settlement, unavailable: outcome as Unavailable };
  // of a store that was created since in the place of the one that moved
  if (outcome.type === 'unknownAttempt' && settlement.store !== location) return null;
  const why = whyRefused(outcome);
  if (why !== null) {
    await outbox.refuse(settlement, why);
    return { type: 'refused', settlement, why };
  }
  outbox.forget(settlement.request.lease.attemptId);
  return { type: 'delivered', settlement };
}

/** Also from before the store moved: the claims of a store move with it. */
export async function keptFor(
  store: Pick<Store, 'about'>,
  outbox: Outbox,
  location: string,
): Promise<readonly KeptSettlement[]> {
  const kept = await outbox.list();
  if (kept.every((one) => one.store === location)) return kept;
  const locations = await locationsOf(store, location);
  return kept.filter((one) => locations.includes(one.store));
}
