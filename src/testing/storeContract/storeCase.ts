import assert from 'node:assert/strict';
import type { Claimed, NewTask, Requests, Store, TaskDetail, Worker } from '../../store/types.ts';
import { available } from '../../store/unavailable.ts';

/** What a case needs besides a store: control of its clock, and further connections. */
export interface StoreTools {
  /** Advances the store's clock. */
  advance(ms: number): Promise<void>;
  /** Another connection to the same store; closed with the case. */
  connect(): Promise<Store>;
  /** An empty store of the same kind; closed with the case. */
  another(): Promise<Store>;
  /** Lets time pass until the promise settles. */
  passing<Result>(promise: Promise<Result>): Promise<Result>;
}

/** One behavior that every store must have. Needs an empty store; throws when it does not hold. */
export interface StoreCase {
  readonly name: string;
  run(store: Store, tools: StoreTools): Promise<void>;
}

export type Cases = Readonly<Record<string, StoreCase['run']>>;

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

/** Their ids, in the order given. */
export async function add(store: Store, ...tasks: (string | NewTask)[]): Promise<string[]> {
  const outcome = await store.addTasks({
    tasks: tasks.map((task) => (typeof task === 'string' ? { title: task } : task)),
  });
  if (outcome.type !== 'added') throw new Error(JSON.stringify(outcome));
  return outcome.tasks.map(({ id }) => id);
}

export async function addOne(store: Store, task: string | NewTask = 'a task'): Promise<string> {
  const [id] = await add(store, task);
  return id as string;
}

let keys = 0;

export function newKey(): string {
  return `key-${process.pid}-${++keys}`;
}

export async function claim(store: Store, by: TestWorker, request: Partial<Requests['claim']> = {}): Promise<Claimed> {
  const outcome = await store.claim({ ...by, claimKey: newKey(), ...request });
  if (outcome.type !== 'claimed') throw new Error(`expected a claim, got ${JSON.stringify(outcome)}`);
  return outcome;
}

/** Adds, registers, claims: the start of most cases. */
export async function claimed(store: Store, task: string | NewTask = 'a task'): Promise<Claimed & { by: TestWorker }> {
  await addOne(store, task);
  const by = await worker(store);
  return { ...(await claim(store, by)), by };
}

export async function taskOf(store: Store, id: string): Promise<TaskDetail> {
  const outcome = await store.task({ id });
  if (outcome.type !== 'found') throw new Error(`expected task ${id}, got ${JSON.stringify(outcome)}`);
  return outcome.task;
}

export async function workerOf(store: Store, workerId: string): Promise<Worker> {
  const [found] = available(await store.workers({ workerId })).workers;
  assert.ok(found, `unknown worker ${workerId}`);
  return found;
}

export const REAP = { evidence: 'exited', staleAfterMs: 120_000, graceMs: 30_000 } as const;

/** The worker's process is gone and its task is back in the queue, due right after `advance`. */
export async function lose(store: Store, by: TestWorker): Promise<void> {
  is(await store.reap({ ...by, ...REAP }), { type: 'reaped' });
}

/** The outcome has at least these fields. */
export function is<Outcome extends object>(actual: Outcome, expected: object): asserts actual is Outcome {
  assert.partialDeepStrictEqual(
    actual,
    expected,
    `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
  );
}
