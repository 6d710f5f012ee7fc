import type { ReleaseReason } from './requests.ts';

/** Caused by the account, the provider or the operator, never by the task. */
export const UNCOUNTED_RELEASES: readonly ReleaseReason[] = ['rate_limited', 'unserved', 'drained'];

/** The error of a task that was released too often. */
export const tooManyReleases = (releases: number): string =>
  `It was started and given back ${releases} times without being settled.`;
