import type { ReleaseReason } from './claimTypes.ts';

/** The account's, the provider's or the operator's doing: however often it happens, it says nothing about the task. */
export const UNCOUNTED_RELEASES: readonly ReleaseReason[] = ['rate_limited', 'unserved', 'drained'];

/** What a task says that was given back once too often. */
export const tooManyReleases = (releases: number): string =>
  `It was started and given back ${releases} times without being settled.`;
