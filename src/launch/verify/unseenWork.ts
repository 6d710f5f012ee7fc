import type { Attempt } from '../../store/types.ts';

/** Why some work is rejected that no verifier can look at. */
export interface Unseen {
  readonly why: string;
  readonly hold: string | null;
}

/** `task add` refuses it where it can see it; the worker may have been in another folder, or run with --no-verify. */
export const ALONE_FACTS: Unseen = {
  why: 'Its judge was not asked, because nothing comes before it: a model is never the only one that decides, and its attempt had no command and no armed check to pass',
  hold: 'its judge needs a command or check before it',
};

export const UNKEPT_FACTS: Unseen = {
  why: 'Its work is in no commit, although it began in a repository: git could not read its folder, so nothing can be verified',
  hold: null,
};

/** Where there is git, its folder is not what would land: an agent can end with a repository that git cannot read. */
export const isUnkept = ({ details }: Attempt) => details.headCommit === undefined && details.baseCommit !== undefined;
