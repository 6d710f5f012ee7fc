import type { ReleaseReason } from './claimTypes.ts';

/** Caused by the account, the provider or the operator: however often it happens, it is not about the task. */
export const UNCOUNTED_RELEASES: readonly ReleaseReason[] = ['rate_limited', 'unserved', 'drained'];

/** The error of a task that was given back too often. */
export const tooManyReleases = (releases: number): string =>
  `It was started and given back ${releases} times without being settled.`;
