import assert from 'node:assert/strict';
import type { Claimed, ClaimOutcome, CompleteOutcome, Lease, NewTask, Requests, Store } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';
import { is, type StoreTools } from './storeCase.ts';

/** A registered worker, as every request names it. */
export interface TestWorker {
  readonly workerId: string;
  readonly incarnation: number;
}

export async function worker(
  store: Store,
  workerId = 'w1',
  facts: Partial<Requests['registerWorker']> = {},
): Promise<TestWorker> {
  const outcome = available(await store.registerWorker({ workerId, ...facts }));
  assert.equal(outcome.type, 'registered');
  return { workerId, incarnation: (outcome as { incarnation: number }).incarnation };
}

type Ids<Tasks> = { readonly [Place in keyof Tasks]: string };

/** Their ids, in the order given. */
export async function add<Tasks extends readonly (string | NewTask)[]>(
  store: Store,
  ...tasks: Tasks
): Promise<Ids<Tasks>> {
  const outcome = await store.addTasks({
    tasks: tasks.map((task) => (typeof task === 'string' ? { title: task } : task)),
  });
  if (outcome.type !== 'added') throw new Error(JSON.stringify(outcome));
  return outcome.tasks.map(({ id }) => id) as unknown as Ids<Tasks>;
}

export async function addOne(store: Store, task: string | NewTask = 'a task'): Promise<string> {
  const [id] = await add(store, task);
  return id;
}

let keys = 0;

export function newKey(): string {
  return `key-${process.pid}-${++keys}`;
}

export function tryClaim(
  store: Store,
  by: TestWorker,
  request: Partial<Requests['claim']> = {},
): Promise<ClaimOutcome> {
  return store.claim({ ...by, claimKey: newKey(), ...request });
}

export async function claim(store: Store, by: TestWorker, request: Partial<Requests['claim']> = {}): Promise<Claimed> {
  const outcome = await tryClaim(store, by, request);
  if (outcome.type !== 'claimed') throw new Error(`expected a claim, got ${JSON.stringify(outcome)}`);
  return outcome;
}

/** Adds, registers, claims: the start of most cases. */
export async function claimed(store: Store, task: string | NewTask = 'a task'): Promise<Claimed & { by: TestWorker }> {
  await addOne(store, task);
  const by = await worker(store);
  return { ...(await claim(store, by)), by };
}

/** With a claim of the next task. */
export function completeNext(store: Store, lease: Lease, next: object = {}): Promise<CompleteOutcome> {
  return store.complete({ lease, result: 'done', next: { claimKey: newKey(), ...next } });
}

export const REAP = { evidence: 'exited', staleAfterMs: 120_000, graceMs: 30_000 } as const;

/** The worker's process is gone and its task is back in the queue, due right after `advance`. */
export async function lose(store: Store, by: TestWorker): Promise<void> {
  is(await store.reap({ ...by, ...REAP }), { type: 'reaped' });
}

/** A verifier takes the task that waits for one: how its requests name that. */
export async function toVerify(store: Store): Promise<{ readonly taskId: string; readonly verifyEpoch: number }> {
  const outcome = await store.takeVerification({ holder: 'v', ttlMs: 1_000 });
  if (outcome.type !== 'taken') throw new Error(`expected a task to verify, got ${JSON.stringify(outcome)}`);
  return { taskId: outcome.task.id, verifyEpoch: outcome.verifyEpoch };
}

/** Another store with everything that this one had. */
export async function moved(store: Store, another: StoreTools['another']): Promise<Store> {
  await store.startMove({ to: 'elsewhere' });
  const there = await another();
  is(await there.importAll(store.exportAll()), { type: 'imported' });
  return there;
}
