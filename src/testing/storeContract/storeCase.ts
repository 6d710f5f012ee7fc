import assert from 'node:assert/strict';
import type { Attempt, EventKind, Store, TaskDetail, Worker } from '../../store/types.ts';
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

/** The outcome has at least these fields. */
export function is(actual: object | undefined | null, expected: object): void {
  assert.partialDeepStrictEqual(
    actual,
    expected,
    `expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`,
  );
}

export async function attemptsOf(store: Store, taskId: string): Promise<readonly Attempt[]> {
  return available(await store.attempts({ taskId })).attempts;
}

/** The kinds of the latest events, oldest first. */
export async function lastKinds(store: Store, limit: number): Promise<EventKind[]> {
  const { events } = available(await store.events({ newest: true, limit }));
  return events.map(({ kind }) => kind).reverse();
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
