import type { Store } from '../types.ts';
import { sendSettlement } from './deliverKept.ts';
import type { Outbox } from './outbox.ts';
import { type KeptSettlement, SETTLING, whyRefused } from './settlement.ts';

export interface Keeping {
  readonly outbox: Outbox;
  /** Of the store. */
  readonly location: string;
  /** The machine's clock. */
  readonly now: () => number;
}

type Settling = Pick<Store, 'complete' | 'fail' | 'release'>;

/**
 * A store whose settlements are on disk before they are sent, and stay there while it is unavailable. The first settlement of a
 * claim counts: what an agent reported is sent before what its supervisor concludes from its end.
 */
export function keepingStore(store: Store, keeping: Keeping): Store {
  const settle = async (operation: KeptSettlement['operation'], request: KeptSettlement['request']) => {
    const { next: _next, ...alone } = request as { next?: object } & typeof request;
    const own = { version: 1, store: keeping.location, keptAt: keeping.now(), operation, request: alone };
    const kept = await keeping.outbox.keep(own as KeptSettlement);
    const isOwn = kept.operation === operation && JSON.stringify(kept.request) === JSON.stringify(alone);
    const outcome = await sendSettlement(store, isOwn ? ({ ...own, request } as KeptSettlement) : kept);
    if (outcome.type === 'unavailable') return outcome;
    const why = isOwn ? null : whyRefused(outcome);
    if (why === null) keeping.outbox.forget(kept.request.lease.attemptId);
    else await keeping.outbox.refuse(kept, why);
    // an answer to another settlement is none to this one
    return isOwn ? outcome : sendSettlement(store, { ...own, request } as KeptSettlement);
  };
  const methods = SETTLING.map((name) => [name, (request: never) => settle(name, request)]);
  return { ...store, ...(Object.fromEntries(methods) as Settling) };
}
