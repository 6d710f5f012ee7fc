import { planBatch, whyInvalid } from './planBatch.ts';
import type { StoreOperations } from './types.ts';

type Operation = (request?: object) => Promise<object>;

export type OperationName = keyof StoreOperations;

/** Runs one operation: here, in a process that shares the file, or in a database. */
type Perform = (operation: OperationName, request: object) => Promise<object>;

const NAMES: Readonly<Record<OperationName, true>> = {
  addTasks: true,
  amendTask: true,
  cancel: true,
  redrive: true,
  hold: true,
  unhold: true,
  pauseQueue: true,
  resumeQueue: true,
  claim: true,
  acknowledge: true,
  heartbeat: true,
  complete: true,
  fail: true,
  release: true,
  extend: true,
  takeVerification: true,
  settleVerification: true,
  launch: true,
  endLaunch: true,
  registerWorker: true,
  updateWorker: true,
  drainWorker: true,
  stopWorker: true,
  reap: true,
  deferReclaim: true,
  expireOffers: true,
  pauseAccount: true,
  resumeAccount: true,
  lead: true,
  resign: true,
  task: true,
  listTasks: true,
  counts: true,
  attempts: true,
  workers: true,
  launches: true,
  accounts: true,
  readiness: true,
  events: true,
  about: true,
};

export const OPERATION_NAMES = Object.keys(NAMES) as OperationName[];

/** The operations of a store as methods. */
export function operationsOver(perform: Perform): StoreOperations {
  const operations = Object.fromEntries(
    OPERATION_NAMES.map((name): [string, Operation] => [name, (request = {}) => perform(name, request)]),
  ) as unknown as StoreOperations;
  return {
    ...operations,
    addTasks: (request) => addPlanned(perform, request),
    amendTask: (request) => amendChecked(perform, request),
  };
}

/** Validates without the store, and chooses ids before the call, so that a repeated call adds once. */
const addPlanned = async (
  perform: Perform,
  { tasks, actor }: Parameters<StoreOperations['addTasks']>[0],
): ReturnType<StoreOperations['addTasks']> => {
  const plan = planBatch(tasks);
  if (plan.type === 'refused') return plan;
  return perform('addTasks', { tasks: plan.tasks, actor }) as ReturnType<StoreOperations['addTasks']>;
};

/** Existing tasks follow the same rules as new ones. */
const amendChecked = async (
  perform: Perform,
  request: Parameters<StoreOperations['amendTask']>[0],
): ReturnType<StoreOperations['amendTask']> => {
  const { title = 'unchanged', body = '' } = request;
  const problem = whyInvalid({ title, body });
  if (problem) return { type: 'refused', reason: 'invalid', problem };
  return perform('amendTask', request) as ReturnType<StoreOperations['amendTask']>;
};
