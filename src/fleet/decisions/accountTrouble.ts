import type { ReleaseReason } from '../../store/types.ts';
import { pauseUntil } from './rateLimits.ts';
import { resetInText } from './resetInText.ts';

/** The provider error that ended a turn. */
export interface AccountTrouble {
  /** The `error` of a StopFailure hook. */
  readonly error: string;
  readonly text: string;
  /** Wall time: the text may name a time of day. */
  readonly now: number;
  /** How often its task was released for such a reason before. */
  readonly refusals: number;
  /** From 0 up to 1. */
  readonly random: number;
}

export interface AccountPauseDecision {
  readonly untilAt: number;
  /** How its task is released: an account's limit is not the task's fault. */
  readonly release: ReleaseReason;
}

const MINUTE_MS = 60_000;
const FIRST_RETRY_MS = 10 * MINUTE_MS;
/** A person who has logged in again should not wait for half a day; `stopgate account resume` ends the pause immediately. */
const LONGEST_RETRY_MS = 2 * 60 * MINUTE_MS;

type DecidePause = (trouble: AccountTrouble) => AccountPauseDecision;

/** Until the reset time that the provider named, else with growing pauses. */
const limited: DecidePause = ({ text, now, refusals, random }) => ({
  untilAt: pauseUntil({ now, ...resetInText(text, now), attempt: refusals, random }),
  release: 'rate_limited',
});

/** A provider outage, which the host has already retried: it passes. */
const failing: DecidePause = ({ now, refusals, random }) => ({
  untilAt: pauseUntil({ now, attempt: refusals, random }),
  release: 'unserved',
});

/** Only a person can fix it: retried rarely, so that it does not use up tasks until then. */
const refused: DecidePause = ({ now, refusals, random }) => {
  const retryAfterMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(refusals, 10), LONGEST_RETRY_MS);
  return { untilAt: pauseUntil({ now, retryAfterMs, attempt: refusals, random }), release: 'unserved' };
};

/** Errors that every worker of the account would get; any other error is the task's. */
const TROUBLES = new Map<unknown, DecidePause>([
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

/** Waiting does not help: a login, a payment or a permission is missing. */
export const onlyPersonCanFix = (error: string): boolean => TROUBLES.get(error) === refused;

/** Errors that are handled the same way are of one kind. */
export const accountTroubleKind = (error: string): unknown => TROUBLES.get(error);

/** Null: not the account's error, so its other workers may continue. */
export function decideAccountPause(trouble: AccountTrouble): AccountPauseDecision | null {
  return TROUBLES.get(trouble.error)?.(trouble) ?? null;
}
