import { UNCOUNTED_RELEASES } from '../../../../store/releaseCounts.ts';
import { newClaimKey } from '../../../../system/ids.ts';
import { UserError } from '../../../../system/userError.ts';
import { whyNotOwnLease } from '../../../wiring/standing/ownLease.ts';
import { agentHere } from '../../../wiring/standing/refuseAgents.ts';
import {
  available,
  type Lease,
  type ReleaseReason,
  type Requests,
  type Store,
  storeTime,
  type TaskDetail,
} from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { type AnsweredClaim, exitOfClaim, printClaim } from '../claim/printClaim.ts';
import { findTask } from '../findTask.ts';
import { durationMs, textFrom } from '../readFlags.ts';
import type { CommonOptions } from '../taskOptions.ts';
import { describeCompletion, describeRequeue, type Settled } from './describeSettlement.ts';
import { findLease, type SettleFlags } from './findLease.ts';

type SettleOptions = SettleFlags & CommonOptions;

export interface CompleteOptions extends SettleOptions {
  readonly result?: string;
  readonly next?: true;
}

export interface FailOptions extends SettleOptions {
  readonly error?: string;
  readonly retryAfter?: string;
  readonly final?: true;
}

export interface ReleaseOptions extends SettleOptions {
  readonly note?: string;
  readonly reason?: string;
  readonly delay?: string;
}

/** Null to continue, or why the task stays open. */
export type CompletionGate = (
  task: TaskDetail,
  claim: { readonly lease: Lease; readonly store: Store },
) => Promise<string | null>;

/** `stopgate task complete`. The gates run before anything is written; the first objection decides. */
export async function runComplete(
  id: string | undefined,
  options: CompleteOptions,
  { world, gates }: { readonly world: TaskWorld; readonly gates: readonly CompletionGate[] },
): Promise<number> {
  const result = options.result === undefined ? '' : await textFrom('--result', options.result);
  return settle({ id, options, world }, async (store, lease) => {
    for (const gate of gates) {
      const why = await gate(await findTask(store, lease.taskId), { lease, store });
      if (why !== null) return keptOpen(lease, why);
    }
    const next = options.next ? await nextWanted(store, lease) : undefined;
    const outcome = available(await store.complete({ lease, result, next }));
    const claimed = outcome.type === 'accepted' && outcome.next ? available(outcome.next) : undefined;
    return { outcome, ...describeCompletion(outcome, lease), next: claimed };
  });
}

/** The next task for the worker of a lease: of the queue and types that it registered for. */
async function nextWanted(store: Store, { workerId }: Lease): Promise<NonNullable<Requests['complete']['next']>> {
  const [worker] = available(await store.workers({ workerId })).workers;
  return { claimKey: newClaimKey(), queue: worker?.queue, types: worker?.types ?? undefined };
}

function keptOpen({ taskId }: Lease, why: string): Answer {
  const sentence = `Task ${taskId} stays open. ${why}`;
  return { outcome: { type: 'keptOpen', why }, sentence, exitCode: TASK_EXIT.keptOpen };
}

/** `stopgate task fail`. */
export async function runFail(id: string | undefined, options: FailOptions, world: TaskWorld): Promise<number> {
  if (options.error === undefined)
    throw new UserError('Give the reason with --error TEXT; the next attempt will see it.');
  const error = await textFrom('--error', options.error);
  const retryAfterMs = optionalMs('--retry-after', options.retryAfter);
  return settle({ id, options, world }, async (store, lease) => {
    const outcome = available(await store.fail({ lease, error, retryAfterMs, final: options.final }));
    return { outcome, ...describeRequeue(outcome, { lease, verb: 'failed', now: await storeTime(store) }) };
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
  const known = REASONS.find((one) => one === options.reason?.replaceAll('-', '_'));
  // only supervisors may use reasons that do not count: an agent could release its task without end
  const mayName =
    known === undefined || !UNCOUNTED_RELEASES.includes(known) || agentHere(options.store, world) === null;
  const reason = mayName ? known : undefined;
  const words = reason === undefined ? options.reason : undefined;
  const note = options.note === undefined ? undefined : await textFrom('--note', options.note);
  const checkpoint = [words, note].filter((text) => text !== undefined).join('\n\n') || undefined;
  const delayMs = optionalMs('--delay', options.delay);
  return settle({ id, options, world }, async (store, lease) => {
    const outcome = available(await store.release({ lease, reason: reason ?? 'released', checkpoint, delayMs }));
    return { outcome, ...describeRequeue(outcome, { lease, verb: 'released', now: await storeTime(store) }) };
  });
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

async function settle(
  { id, options, world }: SettleCall,
  act: (store: Store, lease: Lease) => Promise<Answer>,
): Promise<number> {
  await using store = await openTaskStore(options.store, world);
  const lease = await findLease(store, id, options, world.env);
  const agent = agentHere(options.store, world);
  const refused = agent === null ? null : await whyNotOwnLease(agent, lease, store);
  if (refused !== null) throw new UserError(refused, TASK_EXIT.refused);
  const { outcome, sentence, exitCode, next } = await act(store, lease);
  if (options.json) world.print(`${JSON.stringify({ ...outcome, taskId: lease.taskId, epoch: lease.epoch })}\n`);
  else if (exitCode === TASK_EXIT.done) world.print(`${sentence}\n`);
  else world.warn(sentence);
  if (!next) return exitCode;
  if (!options.json) {
    const now = await storeTime(store);
    printClaim(next, { world, now, worker: lease.workerId, storeFlag: options.store !== undefined });
  }
  return exitOfClaim(next);
}

const optionalMs = (flag: string, text: string | undefined) =>
  text === undefined ? undefined : durationMs(flag, text);
