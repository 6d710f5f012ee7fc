import { storeLocation } from '../storeLocation.ts';
import { parseStorePlace } from '../storePlace.ts';
import type { Store, Unavailable } from '../types.ts';
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
  for (const settlement of await keptFor(outbox, location)) {
    const delivery = await deliver(store, outbox, settlement);
    deliveries.push(delivery);
    if (delivery.type === 'waiting') break;
  }
  return deliveries;
}

async function deliver(store: Store, outbox: Outbox, settlement: KeptSettlement): Promise<Delivery> {
  const outcome = await sendSettlement(store, settlement);
  if (outcome.type === 'unavailable') {
    const unavailable = outcome as Unavailable;
    await followMove(outbox, settlement, unavailable);
    return { type: 'waiting', settlement, unavailable };
  }
  const why = whyRefused(outcome);
  if (why !== null) {
    await outbox.refuse(settlement, why);
    return { type: 'refused', settlement, why };
  }
  outbox.forget(settlement.request.lease.attemptId);
  return { type: 'delivered', settlement };
}

/** The claims of a store move with it, so that a settlement is for the new store from then on. */
async function followMove(outbox: Outbox, settlement: KeptSettlement, { movedTo }: Unavailable): Promise<void> {
  const place = movedTo === undefined ? undefined : parseStorePlace(movedTo);
  if (place === undefined || place.type === 'unavailable') return;
  await outbox.readdress(settlement, storeLocation(place));
}

export async function keptFor(outbox: Outbox, location: string): Promise<readonly KeptSettlement[]> {
  return (await outbox.list()).filter(({ store }) => store === location);
}
