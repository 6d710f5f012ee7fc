import { UNCOUNTED_RELEASES } from '../../../../store/releaseCounts.ts';
import { UserError } from '../../../../system/userError.ts';
import { whyNotOwnLease } from '../../../wiring/standing/ownLease.ts';
import { agentHere } from '../../../wiring/standing/refuseAgents.ts';
import {
  available,
  type Lease,
  type ReleaseReason,
  type Store,
  storeTime,
  type TaskDetail,
} from '../../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../../wiring/store/openTaskStore.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { type AnsweredClaim, exitOfClaim, tellClaim } from '../claim/tellClaim.ts';
import { findTask } from '../findTask.ts';
import { durationMs, textFrom } from '../readFlags.ts';
import { findLease, type SettleFlags } from './findLease.ts';
import { nextWanted } from './nextWanted.ts';
import { completedWords, requeuedWords, type Settled } from './settleWords.ts';

interface SettleOptions extends SettleFlags {
  readonly json?: true;
  readonly store?: string;
}

export interface CompleteOptions extends SettleOptions {
  readonly result?: string;
  /** Claims again for the same worker. */
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

/** Null to go on, or why the task stays open. */
export type CompletionGate = (
  task: TaskDetail,
  claim: { readonly lease: Lease; readonly store: Store },
) => Promise<string | null>;

/** `stopgate task complete`. The gate is asked before anything is written. */
export async function runComplete(
  id: string | undefined,
  options: CompleteOptions,
  { world, gate }: { readonly world: TaskWorld; readonly gate?: CompletionGate },
): Promise<number> {
  const result = options.result === undefined ? '' : await textFrom('--result', options.result);
  return settle({ id, options, world }, async (store, lease) => {
    const kept = gate ? await gate(await findTask(store, lease.taskId), { lease, store }) : null;
    if (kept !== null) return keptOpen(lease, kept);
    const next = options.next ? await nextWanted(store, lease) : undefined;
    const outcome = available(await store.complete({ lease, result, next }));
    const claimed = outcome.type === 'accepted' && outcome.next ? available(outcome.next) : undefined;
    return { outcome, ...completedWords(outcome, lease), next: claimed };
  });
}

function keptOpen({ taskId }: Lease, why: string): Answer {
  const sentence = `Task ${taskId} stays open. ${why}`;
  return { outcome: { type: 'keptOpen', why }, sentence, exitCode: TASK_EXIT.keptOpen };
}

/** `stopgate task fail`. */
export async function runFail(id: string | undefined, options: FailOptions, world: TaskWorld): Promise<number> {
  if (options.error === undefined) throw new UserError('Say why it failed: --error TEXT. The next attempt is told.');
  const error = await textFrom('--error', options.error);
  const retryAfterMs = optionalMs('--retry-after', options.retryAfter);
  return settle({ id, options, world }, async (store, lease) => {
    const outcome = available(await store.fail({ lease, error, retryAfterMs, final: options.final }));
    return { outcome, ...requeuedWords(outcome, { lease, verb: 'failed', now: await storeTime(store) }) };
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

/** `stopgate task release`. A reason in one's own words is for the next attempt, like a note. */
export async function runRelease(id: string | undefined, options: ReleaseOptions, world: TaskWorld): Promise<number> {
  const said = REASONS.find((known) => known === options.reason?.replaceAll('-', '_'));
  // what counts for nothing is for supervisors to say: an agent could give its task back without end
  const mayName = said === undefined || !UNCOUNTED_RELEASES.includes(said) || agentHere(options.store, world) === null;
  const reason = mayName ? said : undefined;
  const words = reason === undefined ? options.reason : undefined;
  const note = options.note === undefined ? undefined : await textFrom('--note', options.note);
  const checkpoint = [words, note].filter((text) => text !== undefined).join('\n\n') || undefined;
  const delayMs = optionalMs('--delay', options.delay);
  return settle({ id, options, world }, async (store, lease) => {
    const outcome = available(await store.release({ lease, reason: reason ?? 'released', checkpoint, delayMs }));
    return { outcome, ...requeuedWords(outcome, { lease, verb: 'released', now: await storeTime(store) }) };
  });
}

interface Answer extends Settled {
  readonly outcome: object;
  /** What was claimed along with it. */
  readonly next?: AnsweredClaim | undefined;
}

interface Asked {
  readonly id: string | undefined;
  readonly options: SettleOptions;
  readonly world: TaskWorld;
}

async function settle(
  { id, options, world }: Asked,
  act: (store: Store, lease: Lease) => Promise<Answer>,
): Promise<number> {
  await using store = await openTaskStore(options.store, world);
  const lease = await findLease(store, id, options, world.env);
  const agent = agentHere(options.store, world);
  const refused = agent === null ? null : await whyNotOwnLease(agent, lease, store);
  if (refused !== null) throw new UserError(refused, TASK_EXIT.refused);
  const { outcome, sentence, exitCode, next } = await act(store, lease);
  if (options.json) world.say(`${JSON.stringify({ ...outcome, taskId: lease.taskId, epoch: lease.epoch })}\n`);
  else if (exitCode === TASK_EXIT.done) world.say(`${sentence}\n`);
  else world.warn(sentence);
  if (!next) return exitCode;
  if (!options.json) {
    const now = await storeTime(store);
    tellClaim(next, { world, now, worker: lease.workerId, storeFlag: options.store !== undefined });
  }
  return exitOfClaim(next);
}

const optionalMs = (flag: string, said: string | undefined) =>
  said === undefined ? undefined : durationMs(flag, said);
