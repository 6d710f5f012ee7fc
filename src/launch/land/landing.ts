import type { Git } from '../../git/git.ts';
import type { Remote } from '../../git/remote/repositoryAddress.ts';
import type { Requests, Review, Store } from '../../store/types.ts';
import type { VerifierWorld } from '../verify/planVerification.ts';

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

/** The right to land on one branch of one repository. The move of the branch itself is the last fence. */
export interface LandingLease extends AsyncDisposable {
  /** For every change of a review. */
  readonly leader: NonNullable<Requests['changeReview']['leader']>;
  /** Aborted when another process has it. */
  readonly lost: AbortSignal;
  /** Asks the store now. */
  isHeld(): Promise<boolean>;
}

/** The work of an attempt in a repository of this machine. */
export interface PlacedWork {
  readonly type: 'placed';
  readonly place: Omit<LandingPlace, 'target'>;
  /** The branch that is checked out there; undefined when HEAD is detached. */
  readonly checkedOut: string | undefined;
  /** Of a task whose repository is a remote. */
  readonly taskBase: string | null;
  /** What a person looks at and accepts. */
  readonly commit: string;
  /** Where its work begins. */
  readonly base: string | undefined;
}

export type NotPlaced = { readonly type: 'notHere'; readonly reason: string };

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
  /** Commits of the target that were checked alone, with why they fail. */
  readonly checkedTips: Map<string, string | null>;
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
  /** It is red on a commit of the target that fails by itself, which is not its fault. */
  readonly redTarget?: { readonly tip: string; readonly why: string };
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
