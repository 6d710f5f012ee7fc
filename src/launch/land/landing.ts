import type { Git } from '../../git/git.ts';
import type { Remote } from '../../git/remote/repositoryAddress.ts';
import type { Review, Store } from '../../store/types.ts';
import type { VerifierWorld } from '../verify/planVerification.ts';
import type { LandingLease } from './landingLease.ts';

/** Where accepted work goes: one queue per repository and branch. */
export interface LandingPlace {
  /** The name of the repository in the store, the same for every process that can land there. */
  readonly repository: string;
  /** A worktree of it on this machine. */
  readonly folder: string;
  /** The short name of a branch: of this repository, or of the remote. */
  readonly target: string;
  /** For a task whose repository is a remote. */
  readonly origin?: RemoteOrigin | undefined;
}

export interface RemoteOrigin {
  readonly remote: Remote;
  /** The folder is a clone of the person, whose definition of done counts; else it is the machine's own. */
  readonly isOwnClone: boolean;
}

/** One process that lands what was accepted. */
export interface Landing {
  readonly store: Store;
  readonly world: VerifierWorld;
  readonly git: Git;
  readonly place: LandingPlace;
  /** For the record. */
  readonly actor: string;
  readonly lease: LandingLease;
  readonly report: (sentence: string) => void;
  /** Called for each attempt that is decided. */
  readonly settled: (result: LandingResult) => void;
}

type LandingResult = { readonly taskId: string; readonly epoch: number } & (
  | { readonly type: 'landed'; readonly commit: string }
  /** `isQueued`: the task is in the queue again. */
  | { readonly type: 'returned'; readonly reason: string; readonly isQueued: boolean }
);

/** Accepted work with the commit that was accepted. */
export interface LandingItem extends Review {
  readonly reviewedCommit: string;
}

/** Nothing more can be landed now; what was taken stays accepted. */
export interface LandingStopped {
  readonly type: 'stopped';
  readonly reason: string;
}

export const stopped = (reason: string): LandingStopped => ({ type: 'stopped', reason });

export const shortCommit = (commit: string): string => commit.slice(0, 12);

/** `k3v9`, `7qn7`: enough to find them. */
export const namesOf = (items: readonly Pick<Review, 'taskId'>[]): string =>
  items.map(({ taskId }) => taskId).join(', ');
