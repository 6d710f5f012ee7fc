import type { QueryEvent } from './events.ts';

/**
 * A part of a turn that may have something to tell while it works and comes to a result. Most parts of most steps have
 * nothing to tell and nothing to wait for; those answer with `atOnce(result)`, which costs a tenth of an async
 * generator. A turn of a thousand steps starts some twenty thousand of them.
 */
export type Telling<Result> = AsyncGenerator<QueryEvent, Result> | Generator<QueryEvent, Result>;

// biome-ignore lint/correctness/useYield: having nothing to tell is the point
export function* atOnce<Result>(result: Result): Generator<never, Result> {
  return result;
}

export function* tell(event: QueryEvent): Generator<QueryEvent, void> {
  yield event;
}
