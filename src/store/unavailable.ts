/**
 * The store could not be reached, or could not answer. Any operation may return it, always in the same words, and no acknowledged
 * change is lost.
 */
export interface Unavailable {
  readonly type: 'unavailable';
  readonly cause: UnavailableCause;
  /** One sentence for a person; no password in it. */
  readonly reason: string;
}

export type UnavailableCause =
  /** No server, no folder, no permission. */
  | 'unreachable'
  /** Another process held the lock for longer than we wait. */
  | 'busy'
  | 'diskFull'
  /** Its tasks are in another store now, which `reason` names. */
  | 'moved'
  /** Not a database, not ours, damaged, or of a version that this one cannot read. */
  | 'unusable'
  | 'closed';

/** For callers that can only report it. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  readonly unavailable: Unavailable;

  constructor(unavailable: Unavailable) {
    super(unavailable.reason);
    this.unavailable = unavailable;
  }
}

/** The outcome without `unavailable`, which is thrown: for command lines and tests, where one place words it. */
export function available<Outcome extends { readonly type: string }>(
  outcome: Outcome,
): Exclude<Outcome, { readonly type: 'unavailable' }> {
  if (outcome.type === 'unavailable') throw new StoreUnavailableError(outcome as unknown as Unavailable);
  return outcome as Exclude<Outcome, { readonly type: 'unavailable' }>;
}
