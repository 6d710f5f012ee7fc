import { type LeaseTimes, leaseOfStore, wishedLease } from '../../../fleet/decisions/leaseTimes.ts';
import { decideIdleLimit } from '../../../fleet/decisions/workerKinds.ts';
import { findWorkTree } from '../../../git/workTree.ts';
import { type WorktreeWish, whyNoWorktrees } from '../../../launch/attempt/repository/whyNoWorktrees.ts';
import type { AgentOfWorker } from '../../../launch/attempt/startAgent.ts';
import type { WorkerRequest } from '../../../launch/attempt/workerRequest.ts';
import type { Verifier } from '../../../launch/verify/verifier.ts';
import { worldGit } from '../../../stop/worldGit.ts';
import type { StorePlace } from '../../../store/storePlace.ts';
import type { Outcomes } from '../../../store/types.ts';
import type { Environment } from '../../../system/environment.ts';
import { UserError } from '../../../system/userError.ts';
import type { World } from '../../../system/world.ts';
import { UNAVAILABLE_EXIT } from '../../wiring/store/openTaskStore.ts';
import { durationMs, wholeNumber } from '../task/readFlags.ts';
import type { Flags } from '../task/taskOptions.ts';

/** The options that `worker run` and `fleet up` share, as text. */
export interface AgentOptions
  extends Flags<
    'queue' | 'types' | 'store' | 'account' | 'idleTimeout' | 'pushEvery' | 'reviewLimit',
    'worktrees' | 'removeWorktrees' | 'verify'
  > {
  readonly agent: string;
  readonly type: string;
}

export interface WorkerOptions extends AgentOptions, Flags<'slot' | 'incarnation' | 'slots', 'coordinated'> {
  readonly drainTimeout: string;
}

/** What one worker works with. */
export interface Work extends Omit<AgentOfWorker, 'workerId' | 'report' | 'storePlace' | 'location'> {
  readonly place: StorePlace;
  readonly drain: AbortSignal;
  /** Its output already goes into its log. */
  readonly isLogged?: boolean;
  /** Default: each looks for completed tasks itself. */
  readonly watchCompleted?: (verifier: Verifier, until: AbortSignal) => Promise<void>;
}

/** What a killed machine loses at most, against a push of little. */
const PUSH_EVERY_MS = 5 * 60_000;

export function workerRequest(words: readonly string[], options: WorkerOptions): WorkerRequest {
  const { agent, type, slot, incarnation, queue, types, store } = options;
  return {
    agent,
    kind: type,
    slot,
    incarnation: wholeNumber('--incarnation', incarnation, { least: 1 }),
    slots: slotsOf(options),
    isCoordinated: options.coordinated === true,
    queue,
    types: types?.split(',').map((one) => one.trim()),
    store,
    account: accountOf(options),
    ...idleLimit(options),
    drainMs: durationMs('--drain-timeout', options.drainTimeout),
    worktrees: options.worktrees === true,
    removeWorktrees: options.removeWorktrees === true,
    pushEveryMs: durationMs('--push-every', options.pushEvery) ?? PUSH_EVERY_MS,
    verify: options.verify !== false,
    reviewLimit: reviewLimitOf(options),
    words,
  };
}

/** Undefined: as it is. Null: no limit. */
export function reviewLimitOf({ reviewLimit }: Pick<AgentOptions, 'reviewLimit'>): number | null | undefined {
  return reviewLimit === 'none' ? null : wholeNumber('--review-limit', reviewLimit, { least: 1 });
}

/** More agents than that do not fit on a machine. */
export const MOST_SLOTS = 500;

function slotsOf({ slots, incarnation, coordinated }: WorkerOptions): number | undefined {
  const count = wholeNumber('--slots', slots, { least: 1, most: MOST_SLOTS });
  if (count !== undefined && incarnation !== undefined)
    throw new UserError('--incarnation is that of one slot; leave out --slots.');
  if (count === undefined && coordinated) throw new UserError('--coordinated needs --slots, the most that it may run.');
  return count;
}

/** By default, workers with the same agent share an account. */
export const accountOf = ({ account, agent }: AgentOptions): string =>
  account ?? agent.trim().split(/\s/, 1)[0] ?? agent;

export function idleLimit({ type: kind, idleTimeout }: AgentOptions): Pick<WorkerRequest, 'idleLimitMs' | 'warnings'> {
  const idleTimeoutMs = idleTimeout === 'never' ? null : durationMs('--idle-timeout', idleTimeout);
  const limit = decideIdleLimit(kind, idleTimeoutMs);
  if (limit.type === 'limit') return { idleLimitMs: limit.idleLimitMs, warnings: limit.warning ? [limit.warning] : [] };
  throw new UserError(`--type ${kind} is not a kind of worker; use ${limit.known.join(', ')}.`);
}

/** Before the store is opened: a lease that is none in any store. */
export function checkLease(env: Environment): void {
  const wished = wishedLease(env);
  if (typeof wished === 'string') throw new UserError(wished);
}

/** Of the workers of this machine, and of those of others as its coordinator judges them. */
export function leaseHere(env: Environment, { leaseMs }: Pick<Outcomes['about'], 'leaseMs'>): LeaseTimes {
  const lease = leaseOfStore(env, leaseMs);
  if (typeof lease === 'string') throw new UserError(lease);
  return lease;
}

/** Before anything is started for a store in which nothing can be claimed any more. */
export function whyMoved(
  { location, movedTo }: Pick<Outcomes['about'], 'location' | 'movedTo'>,
  command: string,
): UserError | null {
  if (movedTo === null) return null;
  const where = `The tasks of ${location} have moved to ${movedTo}`;
  return new UserError(`${where}; start it there: stopgate ${command} --store ${movedTo}`, UNAVAILABLE_EXIT);
}

/** Before a task is claimed: a worker that cannot have its worktrees would take tasks from those that can. */
export async function checkWorktrees(wish: WorktreeWish, world: World): Promise<void> {
  if (!wish.worktrees && !wish.removeWorktrees) return;
  const why = whyNoWorktrees(wish, await findWorkTree(worldGit(world), world.cwd));
  if (why !== null) throw new UserError(why);
}
