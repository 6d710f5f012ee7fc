import { assertNever } from '../../system/assertNever.ts';
import { chanceOf } from './chance.ts';
import type { TaskLengths } from './scenario.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import type { SimulationState } from './simulationState.ts';
import { setSlotState } from './slots.ts';
import type { OpenTask } from './taskQueue.ts';

/** A task's random streams, apart from those of its attempts. */
const LENGTH = 1_000_003;
const LENGTH_TOO = 2_000_003;
const CRASH_TIME = 3_000_017;

/** Claims the first ready task; its number and attempt determine how it will end. */
export function claimTask(state: SimulationState, worker: SimulatedWorker): void {
  const { ready, now, heap, scenario, pool, tally, waits, watch } = state;
  const task = ready.shift();
  if (task === undefined) throw new Error('No task is ready');
  if (task.attempts === 0) waits.add(now - task.addedAt);
  task.attempts += 1;
  tally.attempts += 1;
  pool.remove(worker);
  setSlotState(state, worker, 'busy');
  worker.task = task;
  worker.lastClaimedAt = now;
  worker.attempt += 1;
  worker.fate = fateOf(state, task);
  watch.claimed?.(task.number, worker, now);
  const leftMs = Math.max(0, lengthOf(state, task) - task.doneMs);
  const share = worker.fate === 'crashed' ? chanceOf(scenario.seed, task.number, CRASH_TIME + task.attempts) : 1;
  const at = now + Math.ceil(leftMs * share);
  heap.push({ at, kind: 'attemptOver', worker, version: worker.attempt });
}

function lengthOf({ scenario }: SimulationState, { number }: OpenTask): number {
  const { seed, lengths } = scenario;
  return taskLengthMs(lengths, chanceOf(seed, number, LENGTH), chanceOf(seed, number, LENGTH_TOO));
}

function fateOf({ scenario }: SimulationState, { number, attempts }: OpenTask): SimulatedWorker['fate'] {
  const luck = chanceOf(scenario.seed, number, attempts);
  if (luck < scenario.crashRate) return 'crashed';
  return luck < scenario.crashRate + scenario.failRate ? 'failed' : 'done';
}

/** A task's duration, from two random numbers; at least a second, as no agent is faster. */
export function taskLengthMs(lengths: TaskLengths, one: number, other: number): number {
  return Math.max(1_000, Math.round(drawn(lengths, one, other)));
}

function drawn(lengths: TaskLengths, one: number, other: number): number {
  if (lengths.type === 'fixed') return lengths.ms;
  if (lengths.type === 'exponential') return -Math.log(1 - one) * lengths.meanMs;
  if (lengths.type === 'uniform') return lengths.fromMs + (lengths.toMs - lengths.fromMs) * one;
  if (lengths.type === 'lognormal') return lengths.medianMs * Math.exp(lengths.sigma * normal(one, other));
  return assertNever(lengths);
}

/** Box and Muller. */
const normal = (one: number, other: number) => Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
