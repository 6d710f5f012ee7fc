import { existsSync } from 'node:fs';
import path from 'node:path';
import { cleanCheckout } from '../../git/cleanCheckout.ts';
import type { Git } from '../../git/git.ts';
import { findWorkTree } from '../../git/workTree.ts';
import { whyDefinitionUntrusted } from '../../stop/checks/folderTrust.ts';
import { readConfig } from '../../stop/checks/readConfig.ts';
import { freeze } from '../../stop/frozen/freeze.ts';
import type { Frozen } from '../../stop/frozen/frozen.ts';
import { freezePlace, readFrozen } from '../../stop/frozen/frozenFile.ts';
import { completionSession } from '../../stop/startFile.ts';
import { commandsOf, frozenCommands, isFrozenFor, verificationSession } from '../../stop/verify/verificationRecord.ts';
import type { Verification } from '../../stop/verify/verifyWork.ts';
import type { Attempt, Task } from '../../store/types.ts';
import type { World } from '../../system/world.ts';
import { isOfTask } from '../attempt/repository/localRepository.ts';
import { baseOfTask } from './baseOfTask.ts';
import { type FetchedWork, fetchWork } from './fetchWork.ts';

export type VerifierWorld = Pick<World, 'processes' | 'env' | 'cwd' | 'stopgateHome' | 'clock'>;

export type VerificationPlan =
  | { readonly type: 'plan'; readonly work: Verification['work'] }
  /** No verifier can say anything about it. */
  | { readonly type: 'refused'; readonly reason: string }
  /** Another verifier may be able to. */
  | { readonly type: 'notHere'; readonly reason: string };

const notHere = (reason: string): VerificationPlan => ({ type: 'notHere', reason });

type VerifiedTask = Pick<Task, 'id' | 'verify' | 'repository'>;

interface PlannedWith {
  readonly git: Git;
  readonly world: VerifierWorld;
  /** Of the task. */
  readonly attempts: readonly Attempt[];
}

/** What has to be run on the work of an attempt, and where it is; decided before the verification is taken. */
export async function planVerification(
  task: VerifiedTask,
  attempt: Attempt,
  { git, world, attempts }: PlannedWith,
): Promise<VerificationPlan> {
  const { recorded, isOther } = await recordedFor(task, attempt, world);
  const { headCommit: commit = null } = attempt.details;
  const baseCommit = baseOfTask(attempt, attempts) ?? null;
  if (commit === null) {
    // only the machine on which it was done can look at it
    if (recorded !== null && existsSync(recorded.topLevel))
      return { type: 'plan', work: { frozen: recorded, commit, baseCommit, repository: recorded.topLevel } };
    const frozen = recorded ?? (await frozenHere(task, world));
    return notHere(
      typeof frozen === 'string' ? frozen : 'it has no commit, and it was not done in a folder of this machine',
    );
  }
  const own = await repositoryWith(commit, world.cwd, git);
  const here = own ?? (recorded && (await repositoryWith(commit, recorded.topLevel, git)));
  if (own === null && here !== null && !(await isOfTask(git, here, task.repository)))
    return { type: 'refused', reason: `Its commit ${commit.slice(0, 12)} is not in the repository of its task` };
  const found = here === null ? await fetchWork({ repository: task.repository, attempt, commit }, world) : null;
  const atBase = found?.type === 'fetched' ? found : here !== null && isOther ? { git, folder: here } : null;
  const frozen =
    recorded ??
    (atBase === null ? await frozenHere(task, world) : await frozenAtBase(task, baseCommit, { found: atBase, world }));
  if (typeof frozen === 'string') return notHere(frozen);
  const repository = here ?? (found?.type === 'fetched' ? found.folder : null);
  if (repository === null) {
    const why = found?.type === 'failed' ? `; ${found.reason}` : '';
    return notHere(`its commit ${commit.slice(0, 12)} is not in the repository of ${world.cwd}${why}`);
  }
  return { type: 'plan', work: { frozen, commit, baseCommit, repository } };
}

interface Recorded {
  readonly recorded: Frozen | null;
  /** Something else was frozen: the store could not say then what the task names. */
  readonly isOther: boolean;
}

/** As it was when the attempt began. */
async function recordedFor(
  { id: taskId, verify }: VerifiedTask,
  attempt: Attempt,
  { stopgateHome }: VerifierWorld,
): Promise<Recorded> {
  const own = await readFrozen(stopgateHome, verificationSession({ taskId, epoch: attempt.epoch }));
  if (verify === null) {
    return { recorded: own ?? (await readFrozen(stopgateHome, completionSession(attempt))), isOther: false };
  }
  const isOther = own !== null && !isFrozenFor(own, verify);
  return { recorded: isOther ? null : own, isOther };
}

/** On a machine that did not see it begin: what the task names, or the definition of done that a person trusted here. */
async function frozenHere({ verify }: Pick<Task, 'verify'>, world: VerifierWorld): Promise<Frozen | string> {
  const { cwd } = world;
  if (verify !== null && commandsOf(verify).length > 0) {
    return (await frozenCommands(verify, cwd, world)) ?? 'its verify commands cannot be read';
  }
  const here = await definitionHere(world);
  return here.type === 'frozen' ? here.frozen : here.reason;
}

type DefinitionHere =
  | { readonly type: 'frozen'; readonly frozen: Frozen; readonly protect: readonly string[] }
  | { readonly type: 'none' | 'unusable'; readonly reason: string };

/** The definition of done of the current folder, as a person trusted it. */
export async function definitionHere(world: VerifierWorld): Promise<DefinitionHere> {
  const { cwd } = world;
  const config = await readConfig(cwd);
  if (config.type === 'none') return { type: 'none', reason: `${cwd} has no definition of done` };
  if (config.type === 'broken') return { type: 'unusable', reason: config.message };
  const untrusted = whyDefinitionUntrusted(config, cwd, world);
  if (untrusted !== null)
    return { type: 'unusable', reason: `the checks of ${config.done.file} may not run: ${untrusted.reason}` };
  const frozen = await freeze(config.done, freezePlace(path.dirname(config.done.file), world), world);
  return { type: 'frozen', frozen, protect: config.done.protect };
}

/** Where no worker of this machine saw the work begin: the commands as they were at its base, which its agent could not change. */
async function frozenAtBase(
  task: VerifiedTask,
  baseCommit: string | null,
  { found, world }: { readonly found: Pick<FetchedWork, 'git' | 'folder'>; readonly world: VerifierWorld },
): Promise<Frozen | string> {
  if (task.verify === null)
    return `it has to pass the definition of done of ${task.repository}, which a person has to approve on this machine: start a worker in a clone of it and run \`stopgate trust\` there`;
  if (baseCommit === null) return 'it is not known what it was based on';
  const parent = path.join(world.stopgateHome, 'verify');
  const checkout = await cleanCheckout(found.git, { folder: found.folder, commit: baseCommit, parent });
  if (checkout.type === 'failed') return checkout.reason;
  await using base = checkout;
  return await frozenHere(task, { ...world, cwd: base.path });
}

async function repositoryWith(commit: string, folder: string, git: Git): Promise<string | null> {
  const found = existsSync(folder) ? await findWorkTree(git, folder) : null;
  if (found?.type !== 'workTree') return null;
  const has = await git.run({ folder: found.topLevel, args: ['cat-file', '-e', `${commit}^{commit}`] });
  return has.type === 'done' ? found.topLevel : null;
}
