import type { ReleaseReason } from '../../store/types.ts';
import { pauseUntil } from './rateLimits.ts';
import { resetInText } from './resetInText.ts';

/** What ended a turn instead of the model's answer. */
export interface AccountTrouble {
  /** As a StopFailure hook is told it. */
  readonly error: string;
  readonly text: string;
  readonly now: number;
  /** How often its task was given back before for a reason like this. */
  readonly refusals: number;
  /** From 0 up to 1. */
  readonly random: number;
}

export interface AccountRest {
  readonly untilAt: number;
  /** How its task goes back: that one was the first to meet it is no fault of its own. */
  readonly release: ReleaseReason;
}

const MINUTE_MS = 60_000;
const FIRST_LOOK_MS = 10 * MINUTE_MS;
/** Somebody who has logged in again should not wait for half a day; `stopgate account resume` ends it at once. */
const LONGEST_LOOK_MS = 2 * 60 * MINUTE_MS;

type Rest = (trouble: AccountTrouble) => AccountRest;

/** Until the moment that it named, or longer from time to time. */
const limited: Rest = ({ text, now, refusals, random }) => ({
  untilAt: pauseUntil({ now, ...resetInText(text, now), attempt: refusals, random }),
  release: 'rate_limited',
});

/** The provider's own trouble, which its host has retried for a while: it passes. */
const failing: Rest = ({ now, refusals, random }) => ({
  untilAt: pauseUntil({ now, attempt: refusals, random }),
  release: 'unserved',
});

/** Only a person can mend it: looked at again now and then, so that tasks are not used up by it until somebody comes. */
const refused: Rest = ({ now, refusals, random }) => {
  const retryAfterMs = Math.min(FIRST_LOOK_MS * 2 ** Math.min(refusals, 10), LONGEST_LOOK_MS);
  return { untilAt: pauseUntil({ now, retryAfterMs, attempt: refusals, random }), release: 'unserved' };
};

/** What everybody of the account would meet; any other error is the task's. */
const TROUBLES = new Map<unknown, Rest>([
  ['rate_limit', limited],
  ['overloaded', failing],
  ['server_error', failing],
  ['authentication_failed', refused],
  ['oauth_org_not_allowed', refused],
  ['account_on_hold', refused],
  ['verification_required', refused],
  ['billing_error', refused],
  ['cloud_credential_error', refused],
]);

export const isAccountTrouble = (error: unknown): error is string => TROUBLES.has(error);

/** Those that are met in the same way are of one kind. */
export const accountTroubleKind = (error: string): unknown => TROUBLES.get(error);

/** Null: it is not the account's, and whoever uses it may go on. */
export function decideAccountRest(trouble: AccountTrouble): AccountRest | null {
  return TROUBLES.get(trouble.error)?.(trouble) ?? null;
}
