import type { AccountPause } from '../decisions/fleetFacts.ts';
import { arrivalsOf, type NextArrival } from './arrivals.ts';
import { type Random, seededRandom } from './chance.ts';
import { EventHeap } from './eventHeap.ts';
import type { Scenario } from './scenario.ts';
import { type SimulatedWorker, simulatedWorker } from './simulatedWorker.ts';
import { Spread } from './spread.ts';
import { TaskTable } from './taskTable.ts';
import { type Levels, Timeline } from './timeline.ts';

export const EVENT = {
  arrival: 0,
  taskDue: 1,
  workerStarted: 2,
  attemptOver: 3,
  idleCheck: 4,
  look: 5,
  tick: 6,
  slotFree: 7,
  limit: 8,
  wake: 9,
} as const;

/** Counts, and worker-milliseconds. */
interface Tally {
  tasks: number;
  done: number;
  dead: number;
  attempts: number;
  failures: number;
  crashes: number;
  rateLimited: number;
  starts: number;
  replacements: number;
  idleStops: number;
  mostLive: number;
  busyMs: number;
  idleMs: number;
  startingMs: number;
}

/** Callbacks for the invariants that tests check. */
export interface SimulationWatch {
  added?(task: number): void;
  claimed?(task: number, worker: SimulatedWorker, now: number): void;
  settled?(task: number, how: 'done' | 'dead' | 'back'): void;
  stopped?(worker: SimulatedWorker, now: number): void;
}

/** Events change the state in place: copying it each time would dominate the cost. */
export interface SimulationState {
  readonly scenario: Scenario;
  readonly watch: SimulationWatch;
  readonly heap: EventHeap;
  readonly tasks: TaskTable;
  readonly workers: readonly SimulatedWorker[];
  /** Slots that may be filled, the last one first. */
  readonly freeSlots: SimulatedWorker[];
  readonly pool: WorkerPool;
  readonly nextArrival: NextArrival;
  readonly random: Random;
  readonly levels: Levels;
  readonly tally: Tally;
  readonly waits: Spread;
  readonly finishes: Spread;
  readonly timeline: Timeline;
  now: number;
  account: AccountPause | null;
  isTickPlanned: boolean;
  hasMoreArrivals: boolean;
}

export function simulationState(scenario: Scenario, watch: SimulationWatch): SimulationState {
  const { workers: count, minWorkers, idleLimitsMs, seed } = scenario;
  const workers = Array.from({ length: count }, (_unused, slot) => {
    return simulatedWorker(slot, slot < minWorkers, idleLimitsMs[slot % idleLimitsMs.length] ?? null);
  });
  return {
    scenario,
    watch,
    heap: new EventHeap(),
    tasks: new TaskTable(),
    workers,
    freeSlots: workers.slice(minWorkers).reverse(),
    pool: new WorkerPool(),
    nextArrival: arrivalsOf(scenario.arrivals, seededRandom(seed)),
    random: seededRandom(seed + 1),
    levels: { ready: 0, busy: 0, idle: 0, starting: 0 },
    tally: emptyTally(),
    waits: new Spread(),
    finishes: new Spread(),
    timeline: new Timeline(),
    now: 0,
    account: null,
    isTickPlanned: false,
    hasMoreArrivals: true,
  };
}

function emptyTally(): Tally {
  const attempts = { attempts: 0, failures: 0, crashes: 0, rateLimited: 0 };
  const workers = { starts: 0, replacements: 0, idleStops: 0, mostLive: 0 };
  return { tasks: 0, done: 0, dead: 0, ...attempts, ...workers, busyMs: 0, idleMs: 0, startingMs: 0 };
}

/** Advances the clock and counts the time passed. */
export function advance(state: SimulationState, until: number): void {
  const ms = until - state.now;
  if (ms <= 0) return;
  const { levels, tally } = state;
  levels.ready = state.tasks.ready;
  tally.busyMs += levels.busy * ms;
  tally.idleMs += levels.idle * ms;
  tally.startingMs += levels.starting * ms;
  tally.mostLive = Math.max(tally.mostLive, levels.busy + levels.idle + levels.starting);
  state.timeline.add(until, levels);
  state.now = until;
}

/** The coordinator ticks at fixed times; at most one tick is planned. */
export function requestTick(state: SimulationState): void {
  if (state.isTickPlanned) return;
  state.isTickPlanned = true;
  const { tickMs } = state.scenario;
  state.heap.push((Math.floor(state.now / tickMs) + 1) * tickMs, EVENT.tick);
}

/** All tasks have ended and no more will arrive. */
export function isFinished({ hasMoreArrivals, tasks }: SimulationState): boolean {
  return !hasMoreArrivals && tasks.open === 0;
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
