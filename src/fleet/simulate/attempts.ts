import { retryDelayMs } from '../../store/retryDelay.ts';
import { TASK_DEFAULTS } from '../../store/taskDefaults.ts';
import { assertNever } from '../../system/assertNever.ts';
import { nextStopStep } from '../decisions/stopStep.ts';
import { chanceOf } from './chance.ts';
import type { TaskLengths } from './scenario.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import type { SimulationState } from './simulationState.ts';
import { endRun, setSlotState } from './slots.ts';
import type { OpenTask } from './taskQueue.ts';

/** A worker without a task wants to stop: the hook's real decision, carried out in virtual time. */
export function askWorker(state: SimulationState, worker: SimulatedWorker): void {
  const step = nextStopStep({ now: state.now, worker, pending: state.ready.length });
  if (step.type === 'claim') claimTask(state, worker);
  else if (step.type === 'wait') waitUntil(state, worker, step.untilAt);
  else if (step.type === 'approve' && step.why === 'idle') stopIdle(state, worker);
  else throw new Error(`A simulated stop cannot be answered with ${step.type}`);
}

function stopIdle(state: SimulationState, worker: SimulatedWorker): void {
  state.tally.idleStops += 1;
  state.watch.stopped?.(worker, state.now);
  endRun(state, worker, 'idle');
}

/** At most one check per worker is planned, and again when it came too early: the heap stays as large as the fleet. */
function waitUntil(state: SimulationState, worker: SimulatedWorker, untilAt: number): void {
  if (worker.slotState !== 'idle') setSlotState(state, worker, 'idle');
  if ((worker.pausedUntil ?? 0) <= state.now) state.pool.add(worker);
  if (untilAt >= worker.checkAt || untilAt === Number.POSITIVE_INFINITY) return;
  worker.checkAt = untilAt;
  state.plan(untilAt, 'idleCheck', worker);
}

/** Waiting workers claim the ready tasks; if any are left, the coordinator has to act. */
export function handOut(state: SimulationState): void {
  const { ready, pool, random } = state;
  for (let worker = pool.any(random); worker !== null && ready.length > 0; worker = pool.any(random)) {
    askWorker(state, worker);
  }
  if (ready.length > 0) state.requestTick();
}

/** A task's random streams, apart from those of its attempts. */
const LENGTH = 1_000_003;
const LENGTH_TOO = 2_000_003;
const CRASH_TIME = 3_000_017;

/** Claims the first ready task; its number and attempt determine how it will end. */
function claimTask(state: SimulationState, worker: SimulatedWorker): void {
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
  const { seed, lengths } = scenario;
  const chance = (stream: number) => chanceOf(seed, task.number, stream);
  const leftMs = Math.max(0, taskLengthMs(lengths, chance(LENGTH), chance(LENGTH_TOO)) - task.doneMs);
  const share = worker.fate === 'crashed' ? chance(CRASH_TIME + task.attempts) : 1;
  const at = now + Math.ceil(leftMs * share);
  heap.push({ at, kind: 'attemptOver', worker, version: worker.attempt });
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

/** The end that was drawn when the task was claimed. */
export function attemptOver(state: SimulationState, worker: SimulatedWorker): void {
  const { task, fate } = worker;
  if (task === null) throw new Error('An attempt ended that no worker has');
  if (fate === 'crashed') return void crash(state, worker);
  if (fate === 'failed') {
    state.tally.failures += 1;
    giveBack(state, task, 'failures');
  } else complete(state, task);
  worker.madeProgress ||= fate === 'done';
  settle(state, worker);
  askWorker(state, worker);
}

function complete({ now, tally, finishes, watch }: SimulationState, { number, addedAt }: OpenTask): void {
  tally.done += 1;
  finishes.add(now - addedAt);
  watch.settled?.(number, 'done');
}

/** It no longer holds its task, and a new idle window begins. */
export function settle(state: SimulationState, worker: SimulatedWorker): void {
  worker.task = null;
  worker.lastSettledAt = state.now;
  setSlotState(state, worker, 'idle');
}

/** Gone, with its task; the coordinator has to detect it. */
function crash(state: SimulationState, worker: SimulatedWorker): void {
  state.tally.crashes += 1;
  setSlotState(state, worker, 'crashed');
  worker.heartbeatAt = state.now;
  worker.suspectAt = null;
  state.plan(state.nextTickAt(), 'look', worker);
}

const LIMITS = { failures: TASK_DEFAULTS.maxFailures, reclaims: TASK_DEFAULTS.maxReclaims } as const;

/**
 * An attempt ended without success: its task waits for another attempt, or is dead, as the stores decide it. A limit of the
 * account counts as nothing and has no delay.
 */
export function giveBack(state: SimulationState, task: OpenTask, counted: keyof typeof LIMITS | null): void {
  const { now, heap, tally, watch } = state;
  const jitter = state.random();
  if (counted !== null) task[counted] += 1;
  const isDead = counted !== null && task[counted] >= LIMITS[counted];
  watch.settled?.(task.number, isDead ? 'dead' : 'back');
  if (isDead) tally.dead += 1;
  else {
    const delayMs = counted === null ? 0 : retryDelayMs(TASK_DEFAULTS.backoffMs, task[counted], jitter);
    heap.push({ at: now + delayMs, kind: 'taskDue', task });
  }
}
