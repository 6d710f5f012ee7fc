import { moveTarget, type TargetHeld, tipOf, whyHeld } from '../../git/landing/moveTarget.ts';
import { fetchTip, type MovedRemote, moveRemoteTarget, type RemoteTip } from '../../git/landing/remoteTarget.ts';
import { systemIds } from '../../system/ids.ts';
import type { VerifierWorld } from '../verify/planVerification.ts';
import type { Landing } from './landing.ts';

interface Move {
  readonly commit: string;
  /** What it was made from: the branch moves only from there. */
  readonly from: string;
  readonly why: string;
}

/** The branch that accepted work goes to: of a repository of this machine, or of a remote. */
export interface LandingTarget {
  tip(): Promise<RemoteTip>;
  /** Null when it can be moved. */
  whyHeld(commit: string): Promise<TargetHeld | null>;
  move(move: Move): Promise<MovedRemote>;
}

export const cacheIn = ({ stopgateHome, clock }: Pick<VerifierWorld, 'stopgateHome' | 'clock'>) => ({
  home: stopgateHome,
  clock,
  ids: systemIds,
});

export function landingTarget({ git, world, place }: Pick<Landing, 'git' | 'world' | 'place'>): LandingTarget {
  const { folder, target: branch } = place;
  if (place.origin === undefined) {
    const target = { folder, branch };
    return {
      tip: async () => {
        const commit = await tipOf(git, target);
        if (commit !== undefined) return { type: 'tip', commit };
        return { type: 'none', reason: `there is no branch ${branch} in ${folder}` };
      },
      whyHeld: (commit) => whyHeld(git, target, commit),
      move: (move) => moveTarget(git, { ...target, ...move }),
    };
  }
  const target = { folder, branch, remote: place.origin.remote };
  const cache = cacheIn(world);
  return {
    tip: () => fetchTip(git, target, cache),
    // no worktree of the user moves along
    whyHeld: async () => null,
    move: ({ commit, from }) => moveRemoteTarget(git, { ...target, commit, from }, cache),
  };
}
