import type { AccountPause } from '../decisions/fleetFacts.ts';
import { arrivalsOf, type NextArrival } from './arrivals.ts';
import { type Random, seededRandom } from './chance.ts';
import { EventHeap, type EventKind } from './eventHeap.ts';
import type { Scenario } from './scenario.ts';
import { SimulatedWorker, type SlotState } from './simulatedWorker.ts';
import { Spread } from './spread.ts';
import { TaskQueue } from './taskQueue.ts';
import { Timeline } from './timeline.ts';

/** Callbacks for the invariants that tests check. */
export interface SimulationWatch {
  added?(task: number): void;
  claimed?(task: number, worker: SimulatedWorker, now: number): void;
  settled?(task: number, how: 'done' | 'dead' | 'back'): void;
  stopped?(worker: SimulatedWorker, now: number): void;
}

/** Events change the state in place: copying it each time would dominate the cost. */
export class SimulationState {
  readonly scenario: Scenario;
  readonly watch: SimulationWatch;
  readonly heap = new EventHeap();
  readonly ready = new TaskQueue();
  readonly workers: readonly SimulatedWorker[];
  /** Slots that may be filled, the last one first. */
  readonly freeSlots: SimulatedWorker[];
  readonly pool = new WorkerPool();
  readonly nextArrival: NextArrival;
  readonly random: Random;
  /** How many slots are in each state. */
  readonly levels: Record<SlotState, number>;
  readonly tally = emptyTally();
  /** From added to first claimed. */
  readonly waits = new Spread();
  /** From added to done. */
  readonly finishes = new Spread();
  readonly timeline = new Timeline();
  now = 0;
  account: AccountPause | null = null;
  isTickPlanned = false;
  hasMoreArrivals = true;

  constructor(scenario: Scenario, watch: SimulationWatch) {
    const { workers: count, minWorkers, idleLimitsMs, seed } = scenario;
    this.scenario = scenario;
    this.watch = watch;
    this.workers = Array.from({ length: count }, (_unused, slot) => {
      const idleLimitMs = idleLimitsMs[slot % idleLimitsMs.length] ?? null;
      return new SimulatedWorker(`worker-${slot}`, slot < minWorkers, idleLimitMs);
    });
    this.freeSlots = this.workers.slice(minWorkers).reverse();
    this.levels = { free: count, resting: 0, starting: 0, idle: 0, busy: 0, crashed: 0 };
    this.nextArrival = arrivalsOf(scenario.arrivals, seededRandom(seed));
    this.random = seededRandom(seed + 1);
  }

  /** An event of a worker is for its current incarnation. */
  plan(at: number, kind: EventKind, worker?: SimulatedWorker): void {
    this.heap.push({ at, kind, worker, version: worker?.incarnation });
  }

  /** The coordinator ticks at fixed times; at most one tick is planned. */
  requestTick(): void {
    if (!this.isTickPlanned) this.plan(this.nextTickAt(), 'tick');
    this.isTickPlanned = true;
  }

  nextTickAt(): number {
    const { tickMs } = this.scenario;
    return (Math.floor(this.now / tickMs) + 1) * tickMs;
  }

  /** Advances the clock and counts the time passed. */
  advance(until: number): void {
    const ms = until - this.now;
    if (ms <= 0) return;
    const { levels, tally } = this;
    tally.busyMs += levels.busy * ms;
    tally.idleMs += levels.idle * ms;
    tally.startingMs += levels.starting * ms;
    tally.mostLive = Math.max(tally.mostLive, levels.busy + levels.idle + levels.starting);
    this.timeline.add(until, { ready: this.ready.length, ...levels });
    this.now = until;
  }
}

/** Counts, and worker-milliseconds. `replacements` are starts that replaced a crashed worker. */
function emptyTally() {
  const attempts = { attempts: 0, failures: 0, crashes: 0, rateLimited: 0 };
  const workers = { starts: 0, replacements: 0, idleStops: 0, mostLive: 0 };
  return { tasks: 0, done: 0, dead: 0, ...attempts, ...workers, busyMs: 0, idleMs: 0, startingMs: 0 };
}

/** The workers that wait for a task. Which of them gets a new one is random. */
class WorkerPool {
  readonly #workers: SimulatedWorker[] = [];

  get size(): number {
    return this.#workers.length;
  }

  add(worker: SimulatedWorker): void {
    if (worker.poolIndex === -1) worker.poolIndex = this.#workers.push(worker) - 1;
  }

  remove(worker: SimulatedWorker): void {
    const { poolIndex } = worker;
    if (poolIndex === -1) return;
    const last = this.#workers.pop();
    worker.poolIndex = -1;
    if (last === undefined || last === worker) return;
    this.#workers[poolIndex] = last;
    last.poolIndex = poolIndex;
  }

  any(random: Random): SimulatedWorker | null {
    return this.#workers[Math.floor(random() * this.#workers.length)] ?? null;
  }
}
