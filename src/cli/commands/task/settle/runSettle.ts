import { settingsFiles } from '../../../../session/settings/settingsFiles.ts';
import { PUSH_REQUESTS } from '../../../../stop/worker/workerIdentity.ts';
import { settlementWord } from '../../../../store/outbox/settlement.ts';
import { UNCOUNTED_RELEASES } from '../../../../store/releaseCounts.ts';
import { definedOnly } from '../../../../system/definedOnly.ts';
import { newClaimKey } from '../../../../system/ids.ts';
import { readTextFileSync } from '../../../../system/readTextFile.ts';
import { UserError } from '../../../../system/userError.ts';
import { agentHere } from '../../../wiring/standing/refuseAgents.ts';
import type { Agent } from '../../../wiring/standing/standing.ts';
import {
  type AttemptDetails,
  available,
  type ReleaseReason,
  type Requests,
  StoreUnavailableError,
  storeTime,
} from '../../../wiring/store/openedStore.ts';
import { UNAVAILABLE_EXIT } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import { printAnswer, type TaskWorld, type WaitingWorld } from '../../../wiring/store/taskWorld.ts';
import { type BulkOptions, hasFilter, runBulk } from '../change/runBulk.ts';
import { type AnsweredClaim, exitOfClaim, printClaim } from '../claim/printClaim.ts';
import { findTask } from '../findTask.ts';
import { durationMs, textFrom } from '../readFlags.ts';
import type { CommonOptions, Flags } from '../taskOptions.ts';
import { describeCompletion, describeRequeue, type Settled } from './describeSettlement.ts';
import { type OpenClaim, openClaim } from './findClaim.ts';
import type { Claim, SettleFlags } from './findLease.ts';

type SettleOptions = SettleFlags & CommonOptions;
type CompleteOptions = SettleOptions & Flags<'result', 'next'>;
type FailOptions = SettleOptions & Flags<'error' | 'retryAfter', 'final'>;
type ReleaseOptions = SettleOptions & Flags<'note' | 'delay'> & BulkOptions;

/** `stopgate task complete`. Nothing is written for a task that is kept open. */
export async function runComplete(id: string | undefined, options: CompleteOptions, world: WaitingWorld) {
  const result = options.result === undefined ? '' : await textFrom('--result', options.result);
  return settle({ id, options, world }, async (claim, agent) => {
    const { lease, store } = claim;
    if (options.next && agent !== null && (await worksApart(claim)))
      throw new UserError(
        'This agent works in a worktree of its task: leave --next out, its worker starts another agent for the next one.',
        TASK_EXIT.refused,
      );
    const why = await whyKeptOpen(claim, agent, world);
    if (why !== null) {
      const sentence = `Task ${lease.taskId} stays open. ${why}`;
      return { outcome: { type: 'keptOpen', why }, sentence, exitCode: TASK_EXIT.keptOpen };
    }
    const next = options.next ? await nextWanted(claim) : undefined;
    const toVerify = await workToVerify(claim, agent, world);
    const pushed = await pushedWork(agent, world);
    const details = { ...toVerify, ...pushed };
    const hasDetails = toVerify !== null || pushed !== null;
    const outcome = available(await store.complete({ lease, result, next, ...(hasDetails && { details }) }));
    const claimed = outcome.type === 'accepted' && outcome.next ? available(outcome.next) : undefined;
    return { outcome, ...withNotPushed(describeCompletion(outcome, lease), pushed), next: claimed };
  });
}

/** What it did for another task would be on the branch of this one, and would not be what a verifier looks at. */
async function worksApart({ store, lease, known }: Claim): Promise<boolean> {
  if (known !== undefined) return known.worktree !== null;
  const { attempts } = available(await store.attempts({ taskId: lease.taskId }));
  return attempts.some(({ id, details }) => id === lease.attemptId && details.worktree !== undefined);
}

/** With a sentence for who settled it, if the work is not where other machines look for it. */
function withNotPushed(settled: Settled, details: AttemptDetails | null): Settled {
  if (!details?.pushProblem) return settled;
  const sentence = `${settled.sentence} Its work is kept on this machine, but is not on its remote: ${details.pushProblem}`;
  return { ...settled, sentence };
}

/** The next task for the worker of a lease: of the queue and types that it registered for. */
async function nextWanted({ store, lease: { workerId } }: Claim): Promise<Requests['complete']['next']> {
  const [worker] = available(await store.workers({ workerId })).workers;
  return { claimKey: newClaimKey(), queue: worker?.queue, types: worker?.types ?? undefined };
}

/** `stopgate task fail`. */
export async function runFail(id: string | undefined, options: FailOptions, world: TaskWorld): Promise<number> {
  if (options.error === undefined)
    throw new UserError('Give the reason with --error TEXT; the next attempt will see it.');
  const error = await textFrom('--error', options.error);
  const retryAfterMs = durationMs('--retry-after', options.retryAfter);
  return settle({ id, options, world }, async ({ store, lease }, agent) => {
    const details = await pushedWork(agent, world);
    const wish = { lease, error, retryAfterMs, final: options.final, ...(details && { details }) };
    const outcome = available(await store.fail(wish));
    const settled = describeRequeue(outcome, { lease, verb: 'failed', now: await storeTime(store) });
    return { outcome, ...withNotPushed(settled, details) };
  });
}

const REASONS: readonly ReleaseReason[] = [
  'released',
  'rate_limited',
  'unserved',
  'abandoned',
  'drained',
  'timed_out',
  'continued',
];

/** `stopgate task release`. A reason in free text is for the next attempt, like a note. */
export async function runRelease(id: string | undefined, options: ReleaseOptions, world: TaskWorld): Promise<number> {
  if (options.all) return releaseAll(id, options, world);
  if (hasFilter(options)) throw new UserError('--queue, --type, --key and --dry-run work with --all.');
  const known = REASONS.find((one) => one === options.reason?.replaceAll('-', '_'));
  const isAgent = agentHere(options.store, world) !== null;
  // only supervisors may use reasons that do not count: an agent could release its task without end
  const mayName = known === undefined || !UNCOUNTED_RELEASES.includes(known) || !isAgent;
  const reason = mayName ? known : undefined;
  const words = reason === undefined ? options.reason : undefined;
  const note = options.note === undefined ? undefined : await textFrom('--note', options.note);
  const checkpoint = [words, note].filter((text) => text !== undefined).join('\n\n') || undefined;
  const delayMs = durationMs('--delay', options.delay);
  // a person gives it back for others to take; a task that agents give back waits longer each time
  const wish = { reason: reason ?? 'released', checkpoint, delayMs, backoff: isAgent };
  return settle({ id, options, world }, async ({ store, lease }, agent) => {
    const details = await pushedWork(agent, world);
    const outcome = available(await store.release({ ...wish, lease, ...(details && { details }) }));
    const settled = describeRequeue(outcome, { lease, verb: 'released', now: await storeTime(store) });
    return { outcome, ...withNotPushed(settled, details) };
  });
}

/** For people: it takes tasks from other workers. */
async function releaseAll(id: string | undefined, options: ReleaseOptions, world: TaskWorld): Promise<number> {
  if (id !== undefined) throw new UserError('--all works without an id; remove one or the other.');
  if (agentHere(options.store, world) !== null)
    throw new UserError('An agent may release only its own task: leave --all out.', TASK_EXIT.refused);
  return runBulk('release', options, world);
}

interface Answer extends Settled {
  readonly outcome: object;
  /** The claim made with `--next`. */
  readonly next?: AnsweredClaim | undefined;
}

interface SettleCall {
  readonly id: string | undefined;
  readonly options: SettleOptions;
  readonly world: TaskWorld;
}

async function settle({ id, options, world }: SettleCall, act: (claim: Claim, agent: Agent | null) => Promise<Answer>) {
  const agent = agentHere(options.store, world);
  await using claim = await openClaim({ id, options, world, agent });
  const { store, lease } = claim;
  const { taskId, epoch } = lease;
  const { outcome, sentence, exitCode, next } = await act(claim, agent).catch((error: unknown) => keptOr(claim, error));
  const isFine = exitCode === TASK_EXIT.done;
  printAnswer(world, options, { outcome: { ...outcome, taskId, epoch }, sentence, isFine });
  if (!next) return exitCode;
  if (!options.json) {
    const now = await storeTime(store);
    printClaim(next, { world, now, worker: lease.workerId, storeFlag: options.store !== undefined });
  }
  return exitOfClaim(next);
}

/** The store did not take it, but it is on disk; any other error is thrown. */
async function keptOr({ outbox, lease }: OpenClaim, error: unknown): Promise<Answer> {
  const kept = error instanceof StoreUnavailableError ? await outbox.of(lease.attemptId) : null;
  if (kept === null || !(error instanceof StoreUnavailableError)) throw error;
  const sentence = `Task ${lease.taskId} is ${settlementWord(kept)} on this machine: ${error.message} The settlement is kept and is delivered when the store answers. There is nothing more to do for this task.`;
  return { outcome: { type: 'kept', operation: kept.operation }, sentence, exitCode: UNAVAILABLE_EXIT };
}

/** Less than the two minutes that agents usually give a command. */
const LONGEST_MS = 90_000;

/**
 * Has the worker of an agent push its work before the task is settled: from then on another machine may need it. The worker has the
 * credentials, the agent has not. Null where nothing is pushed.
 */
async function pushedWork(agent: Agent | null, world: TaskWorld): Promise<AttemptDetails | null> {
  const supervisor = agent?.supervisors.find(({ kind }) => kind === 'worker');
  const folder = (supervisor?.agentEnv ?? world.env)[PUSH_REQUESTS];
  if (agent === null || folder === undefined || folder === '') return null;
  const { requestPush } = await import('../../../../launch/attempt/repository/pushRequests.ts');
  const call = { folder, clock: world.clock, id: newClaimKey(), longestMs: LONGEST_MS };
  return (await requestPush(call)) ?? { pushProblem: 'its worker did not push it within 90s; it goes on trying' };
}

/**
 * Keeps the work of a task that will be verified in a commit, and returns where it is; null for one that is done when it is completed.
 * Loaded only where it is needed.
 */
async function workToVerify(
  { store, lease }: Claim,
  agent: Agent | null,
  world: WaitingWorld,
): Promise<AttemptDetails | null> {
  // a store that cannot be reached must not keep work from being settled: then what was frozen for the agent decides
  const asked = await store.task({ id: lease.taskId });
  const { verify, judge } = asked.type === 'found' ? asked.task : { verify: null, judge: null };
  const { NO_VERIFICATION } = await import('../../../../store/verification.ts');
  // by hand, only what the task itself names is verified
  if (verify === NO_VERIFICATION || (verify === null && agent === null)) return null;
  const found = await store.attempts({ taskId: lease.taskId });
  const attempts = found.type === 'attempts' ? found.attempts : [];
  const own = attempts.find(({ id }) => id === lease.attemptId)?.details ?? {};
  const supervisor = agent?.supervisors.find(({ kind }) => kind === 'worker') ?? agent?.supervisors[0];
  const { keptForVerifier } = await import('./keptForVerifier.ts');
  const env = supervisor?.agentEnv ?? definedOnly(world.env);
  return keptForVerifier({ lease, verify, judge, own, env, folder: own.worktree ?? supervisor?.folder ?? world.cwd });
}

/**
 * Why a task must stay open, or null: the definition of done for agents, then the TaskCompleted hooks of the settings. Both
 * are loaded only where they are needed.
 */
async function whyKeptOpen(claim: Claim, agent: Agent | null, world: WaitingWorld): Promise<string | null> {
  if (agent !== null) {
    const { whyNotDone } = await import('./checkDone.ts');
    const why = await whyNotDone(claim, agent, world);
    if (why !== null) return why;
  }
  if (!(await mayHaveTaskHooks(world))) return null;
  const { runCompletionHooks } = await import('./runCompletionHooks.ts');
  const { taskId: id } = claim.lease;
  return runCompletionHooks(claim.known ? { id, ...claim.known } : await findTask(claim.store, id), world);
}

const LARGEST_BYTES = 1_000_000;

/** Whether a settings file could name a TaskCompleted hook. An unreadable one counts, so that it is reported. */
async function mayHaveTaskHooks({ cwd, homeDir, env }: WaitingWorld): Promise<boolean> {
  const files = await settingsFiles({ projectDir: cwd, homeDir, env });
  return files.some(({ file }) => {
    const read = readTextFileSync(file, LARGEST_BYTES);
    if (read.type !== 'read') return read.type === 'unreadable';
    // the name may be written with escapes
    return read.cut || read.text.includes('TaskCompleted') || read.text.includes('\\u');
  });
}
