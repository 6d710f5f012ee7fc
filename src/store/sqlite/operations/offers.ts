import { type HeldTask, heldByAttempt } from '../attemptRows.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { endDependants } from './dependants.ts';
import { endAttempt, OFFER_EXPIRED, putBack } from './holding.ts';

export const expireOffers: Operation<'expireOffers'> = (tables) => {
  return { type: 'expired', count: expireDueOffers(tables) };
};

const DUE = `SELECT id FROM attempts INDEXED BY attempts_offered WHERE state = 'offered' AND offer_until <= ?
  ORDER BY offer_until, id`;

export function expireDueOffers(tables: Tables): number {
  const due = tables.all<{ id: string }>(DUE, tables.now);
  for (const { id } of due) {
    const held = heldByAttempt(tables, id);
    if (held) takeOfferBack(tables, held);
  }
  return due.length;
}

/** No worker has seen the task, so it keeps its place. It counts as a release, or it could be offered forever. */
export function takeOfferBack(tables: Tables, held: HeldTask): 'queued' | 'dead' {
  const { runAt } = held;
  const back = putBack(tables, held, { counted: 'releases', runAt, reason: OFFER_EXPIRED });
  endAttempt(tables, held, { state: 'released', outcome: OFFER_EXPIRED });
  const change = { state: back.state, runAt, releases: back.count, attemptState: 'released' };
  recordEvent(tables, 'task.offerExpired', held, change);
  endDependants(tables, held, back);
  return back.state;
}
