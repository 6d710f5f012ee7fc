import type { ReleaseReason } from './requests.ts';

/** Caused by the account, the provider or the operator, never by the task. */
export const UNCOUNTED_RELEASES: readonly ReleaseReason[] = ['rate_limited', 'unserved', 'drained'];

/** Why a task went back the last time; the same as `last_release` in postgres/sql/holding.sql. */
const LAST_RELEASE: Readonly<Record<ReleaseReason | 'offer_expired', string>> = {
  released: 'its holder gave it back',
  abandoned: 'its holder abandoned it',
  continued: 'its agent ended with work left',
  timed_out: 'its time limit had passed',
  rate_limited: 'its account had reached a limit',
  unserved: 'its agent was refused or could not be started',
  drained: 'its worker was drained',
  offer_expired: 'no worker accepted it in time',
};

/** The error of a task that was released too often. */
export const tooManyReleases = (releases: number, reason: keyof typeof LAST_RELEASE): string =>
  `It was started and given back ${releases} times without being settled; the last time, ${LAST_RELEASE[reason]}.`;
