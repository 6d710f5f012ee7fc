/** The store could not be reached, or could not answer. Any operation may return it; no acknowledged change is lost. */
export interface Unavailable {
  readonly type: 'unavailable';
  readonly cause: UnavailableCause;
  /** One sentence for a person; no password in it. */
  readonly reason: string;
  /** With `moved`: where to. */
  readonly movedTo?: string;
}

export type UnavailableCause =
  /** No server, no folder, no permission. */
  | 'unreachable'
  /** Another process held the lock for too long. */
  | 'busy'
  | 'diskFull'
  /** Its tasks have moved to the store that `reason` names. */
  | 'moved'
  /** Not a Stopgate store, damaged, or of an unknown version. */
  | 'unusable'
  | 'closed';

export function unavailable(cause: UnavailableCause, reason: string): Unavailable {
  return { type: 'unavailable', cause, reason };
}

/** For callers that can only report it. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  readonly unavailable: Unavailable;

  constructor(unavailable: Unavailable) {
    super(unavailable.reason);
    this.unavailable = unavailable;
  }
}

/** Throws `unavailable`: for command lines and tests, which report it in one place. */
export function available<Outcome extends { readonly type: string }>(
  outcome: Outcome,
): Exclude<Outcome, { readonly type: 'unavailable' }> {
  if (outcome.type === 'unavailable') throw new StoreUnavailableError(outcome as unknown as Unavailable);
  return outcome as Exclude<Outcome, { readonly type: 'unavailable' }>;
}
