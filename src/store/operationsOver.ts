import type { Clock } from '../system/clock.ts';
import { planBatch, whyInvalid } from './planBatch.ts';
import { timely } from './timely.ts';
import type { OperationName, Outcome, Store, StoreOperations } from './types.ts';
import type { Unavailable } from './unavailable.ts';
import { type Probe, waitForWork } from './waitForWork.ts';

/** Runs one operation: here, in a process that shares the file, or in a database. */
type Perform = (operation: EngineOperation, request: object) => Promise<object>;

/** The operations of a store, and those that only stores use. */
export type EngineOperation = OperationName | 'probe' | 'startMove' | 'cancelMove';

/** A read changes nothing; a write is refused after the tasks have moved to another store. */
export const OPERATION_KINDS: Readonly<Record<OperationName, 'read' | 'write'>> = {
  addTasks: 'write',
  amendTask: 'write',
  cancel: 'write',
  redrive: 'write',
  hold: 'write',
  unhold: 'write',
  limitQueue: 'write',
  pauseQueue: 'write',
  resumeQueue: 'write',
  claim: 'write',
  acknowledge: 'write',
  heartbeat: 'write',
  complete: 'write',
  fail: 'write',
  release: 'write',
  extend: 'write',
  takeVerification: 'write',
  renewVerification: 'write',
  settleVerification: 'write',
  changeReview: 'write',
  limitReviews: 'write',
  launch: 'write',
  endLaunch: 'write',
  registerWorker: 'write',
  updateWorker: 'write',
  drainWorker: 'write',
  stopWorker: 'write',
  reap: 'write',
  deferReclaim: 'write',
  expireOffers: 'write',
  pauseAccount: 'write',
  resumeAccount: 'write',
  lead: 'write',
  resign: 'write',
  addSchedule: 'write',
  changeSchedule: 'write',
  fireSchedule: 'write',
  prune: 'write',
  trimEvents: 'write',
  notePruned: 'write',
  setPolicy: 'write',
  setLease: 'write',
  takePolicyTurn: 'write',
  task: 'read',
  listTasks: 'read',
  counts: 'read',
  attempts: 'read',
  workers: 'read',
  launches: 'read',
  reviews: 'read',
  reviewLimits: 'read',
  accounts: 'read',
  readiness: 'read',
  events: 'read',
  limits: 'read',
  schedules: 'read',
  prunable: 'read',
  policy: 'read',
  about: 'read',
};

export const OPERATION_NAMES = Object.keys(OPERATION_KINDS) as OperationName[];

export type Operate = (request?: object) => Promise<{ readonly type: string }>;

/** A store with something around each of its operations. */
export function aroundOperations(store: Store, around: (operate: Operate, name: OperationName) => Operate): Store {
  const operations = OPERATION_NAMES.map((name) => [name, around(store[name] as Operate, name)]);
  return { ...store, ...Object.fromEntries(operations) };
}

/** What differs between the kinds of stores. */
interface StoreParts extends Pick<Store, 'exportAll' | 'importAll' | 'close'> {
  readonly about: { readonly kind: 'sqlite' | 'postgres'; readonly location: string };
  readonly clock: Clock;
  readonly perform: Perform;
  readonly changed: (withinMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

export function storeOver({ about, clock, perform, changed, ...own }: StoreParts): Store {
  return {
    ...own,
    ...operationsOver(perform),
    about: async () => ({ ...(await perform('about', {})), ...about }) as Outcome<'about'>,
    waitForWork: (request) => {
      const { queue, types } = request;
      const probe = () => perform('probe', { queue, types }) as Promise<Probe | Unavailable>;
      return waitForWork({ clock, probe, changed }, request);
    },
    startMove: ({ to }) => perform('startMove', { to, from: about.location }) as ReturnType<Store['startMove']>,
    cancelMove: () => perform('cancelMove', {}) as ReturnType<Store['cancelMove']>,
    [Symbol.asyncDispose]: own.close,
  };
}

/** The operations of a store as methods. */
function operationsOver(perform: Perform): StoreOperations {
  const methods = OPERATION_NAMES.map((name) => [name, async (request: object = {}) => perform(name, timely(request))]);
  const operations: StoreOperations = Object.fromEntries(methods);
  return {
    ...operations,
    /** Validates without the store, and chooses ids before the call, so that a repeated call adds once. */
    addTasks: async ({ tasks, actor }) => {
      const plan = planBatch(tasks);
      if (plan.type === 'refused') return plan;
      return perform('addTasks', { tasks: plan.tasks, actor }) as Promise<Outcome<'addTasks'>>;
    },
    /** Existing tasks follow the same rules as new ones. */
    amendTask: async (request) => {
      const { title = 'unchanged', body = '', queue, priority } = request;
      const { timeBudgetMs, totalTimeMs, tokenBudget } = request;
      const texts = { repository: request.repository ?? '', base: request.base ?? '' };
      const costBudgetUsd = request.costBudgetUsd ?? 0;
      const times = { timeBudgetMs: timeBudgetMs ?? 0, totalTimeMs: totalTimeMs ?? 0 };
      const numbers = { ...times, tokenBudget: tokenBudget ?? 0, costBudgetUsd };
      const limits = { concurrencyKey: request.concurrencyKey ?? undefined };
      const problem = whyInvalid({ title, body, queue, priority, ...numbers, ...texts, ...limits });
      return problem ? { type: 'refused', reason: 'invalid', problem } : operations.amendTask(request);
    },
  };
}
