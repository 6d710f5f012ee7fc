import { moveRef } from '../../../git/commitObject.ts';
import type { Git } from '../../../git/git.ts';
import { fetchedRef, type RemoteRefs } from '../../../git/remote/fetchRefs.ts';
import { listKeptStates } from '../../../git/restore/keptStates.ts';
import { planRestore } from '../../../git/restore/planRestore.ts';
import { restoreWork } from '../../../git/restore/restoreWork.ts';
import { recoverCommand, snapshotId } from '../../../git/snapshotRef.ts';
import { findWorkTree } from '../../../git/workTree.ts';
import { commitOf } from './commits.ts';
import { wipOf } from './fetchStart.ts';

export interface WipRequest {
  /** A new worktree. */
  readonly folder: string;
  /** The branch of the attempt that it continues, and the commit that it starts at. */
  readonly branch: string;
  readonly start: string;
  readonly refs: RemoteRefs;
}

/**
 * Puts the uncommitted work that an attempt of another machine had pushed into the files of a new worktree. One that is older than its
 * commits is left alone. Returns sentences for the agent.
 */
export async function restoreWip(git: Git, { folder, branch, start, refs }: WipRequest): Promise<readonly string[]> {
  const ref = wipOf(branch);
  if (ref === null || !refs.has(ref)) return [];
  const commit = await commitOf(git, folder, fetchedRef(ref));
  if (commit === undefined) return [];
  const here = await commitOf(git, folder, ref);
  // so that `stopgate restore` knows it
  if (here === undefined) await moveRef(git, { folder, ref, commit, from: undefined, why: 'fetched' });
  const states = await listKeptStates(git, folder);
  const state = states.type === 'listed' ? states.states.find((one) => one.ref === ref) : undefined;
  if (state === undefined || state.commit !== commit) return [];
  if (state.record.base !== start)
    return [`Uncommitted work of that attempt, from before its last commit, is kept: \`${recoverCommand(ref)}\`.`];
  const done = await restore(git, folder, state);
  return done === null
    ? ['What it had not committed is in the files, too.']
    : [`What it had not committed could not be restored (${done}): \`${recoverCommand(ref)}\` tries it again.`];
}

type State = Parameters<typeof planRestore>[1]['state'];

/** Null when all of it is in the files. */
async function restore(git: Git, folder: string, state: State): Promise<string | null> {
  const workTree = await findWorkTree(git, folder);
  if (workTree.type !== 'workTree') return workTree.reason;
  // nothing is in the way: the worktree is new
  const all = { isWanted: () => true, mayOverwrite: () => true };
  const planned = await planRestore(git, { workTree, state, ...all });
  if (planned.type === 'failed') return planned.reason;
  await using plan = planned;
  const undoId = `${snapshotId(state.ref)}-before`;
  const outcome = await restoreWork(git, { workTree, state }, { planned: plan, undoId });
  return 'reason' in outcome ? outcome.reason : null;
}
