import { workersToStart } from '../decisions/planStarts.ts';
import { askWorker, attemptOver, handOut } from './attempts.ts';
import type { EventKind, SimulationEvent } from './eventHeap.ts';
import { detectCrash, meetLimit, pause } from './interruptions.ts';
import type { Scenario } from './scenario.ts';
import type { SimulatedWorker } from './simulatedWorker.ts';
import { SimulationState, type SimulationWatch } from './simulationState.ts';
import { restSlot, setSlotState, startWorker } from './slots.ts';

/** A fleet under a virtual clock: the decisions are the real ones, only time and work are simulated. */
export function startSimulation(scenario: Scenario, watch: SimulationWatch = {}) {
  const state = new SimulationState(scenario, watch);
  planArrival(state);
  for (const worker of state.workers) if (worker.isKept) startWorker(state, worker);
  if (scenario.rateLimit) state.plan(scenario.rateLimit.everyMs, 'limit');
  const mostSimultaneous = 1_000 + 8 * (scenario.workers + scenario.maxTasks);
  let sameTime = 0;
  let events = 0;
  return {
    /** Processes at most this many events; false when none are left. */
    run: (most: number): boolean => {
      for (let left = most; left > 0; left -= 1) {
        const event = state.heap.pop();
        if (event === null) return false;
        events += 1;
        sameTime = event.at > state.now ? 0 : sameTime + 1;
        // a decision to wait until now would loop forever
        if (sameTime > mostSimultaneous) throw new Error(`The simulation is stuck at ${state.now} ms`);
        state.advance(event.at);
        HANDLERS[event.kind](state, event);
      }
      return true;
    },
    /** From 0 to 1, about. */
    progress: () => progressOf(state),
    result: (): SimulationResult => {
      state.advance(scenario.durationMs ?? 0);
      return simulationResult(state, events);
    },
  };
}

type Handler = (state: SimulationState, event: SimulationEvent) => void;

const HANDLERS: { readonly [Kind in EventKind]: Handler } = {
  arrival: arrive,
  taskDue: (state, { task }) => {
    if (task) state.ready.push(task);
    handOut(state);
  },
  workerStarted: ofWorker(register),
  attemptOver: (state, { worker, version }) => {
    if (worker?.attempt === version && worker?.slotState === 'busy') attemptOver(state, worker);
  },
  idleCheck: ofWorker((state, worker) => {
    if (worker.checkAt > state.now) return;
    worker.checkAt = Number.POSITIVE_INFINITY;
    if (worker.slotState === 'idle') askWorker(state, worker);
  }),
  look: ofWorker(detectCrash),
  tick,
  slotFree: ofWorker((state, worker) => {
    if (worker.slotState === 'resting') restSlot(state, worker);
  }),
  limit: meetLimit,
  wake: ofWorker((state, worker) => {
    if (worker.slotState === 'idle' && (worker.pausedUntil ?? 0) <= state.now) askWorker(state, worker);
  }),
};

/** Ignores events for an earlier incarnation. */
function ofWorker(handle: (state: SimulationState, worker: SimulatedWorker) => void): Handler {
  return (state, { worker, version }) => {
    if (worker && worker.incarnation === version) handle(state, worker);
  };
}

function arrive(state: SimulationState): void {
  const { ready, tally, now, watch } = state;
  const number = tally.tasks++;
  watch.added?.(number);
  ready.push({ number, addedAt: now, attempts: 0, failures: 0, reclaims: 0, doneMs: 0 });
  handOut(state);
  planArrival(state);
}

function planArrival(state: SimulationState): void {
  const { maxTasks, durationMs } = state.scenario;
  const at = state.tally.tasks < maxTasks ? state.nextArrival() : null;
  state.hasMoreArrivals = at !== null && at < (durationMs ?? Number.POSITIVE_INFINITY);
  if (at !== null && state.hasMoreArrivals) state.plan(at, 'arrival');
}

function register(state: SimulationState, worker: SimulatedWorker): void {
  worker.registeredAt = state.now;
  worker.pausedUntil = null;
  setSlotState(state, worker, 'idle');
  const isPaused = (state.account?.pausedUntil ?? 0) > state.now;
  if (isPaused) pause(state, worker);
  else askWorker(state, worker);
}

/** The coordinator's tick: starts workers for the ready tasks. */
function tick(state: SimulationState): void {
  state.isTickPlanned = false;
  const { levels, ready, pool, freeSlots, scenario, account, now } = state;
  const { busy, idle, starting } = levels;
  const demand = { ready: ready.length, idle: pool.size, starting, running: busy + idle, most: scenario.workers };
  let wanted = workersToStart({ ...demand, room: freeSlots.length });
  for (; wanted > 0; wanted -= 1) {
    const worker = freeSlots.pop();
    if (worker === undefined) return;
    // the account was paused after the slot was freed
    if ((account?.pausedUntil ?? 0) > now) restSlot(state, worker);
    else startWorker(state, worker);
  }
}

function progressOf({ tally, scenario, now, hasMoreArrivals }: SimulationState): number {
  const byTasks = (tally.done + tally.dead) / scenario.maxTasks;
  const byTime = scenario.durationMs === null ? 0 : now / scenario.durationMs;
  return Math.min(hasMoreArrivals ? 0.99 : 1, Math.max(byTasks, byTime));
}

export type SimulationResult = ReturnType<typeof simulationResult>;

const HOUR_MS = 60 * 60_000;

/** All times are virtual. */
function simulationResult(state: SimulationState, events: number) {
  const { busyMs, idleMs, startingMs, ...counts } = state.tally;
  const paidMs = busyMs + idleMs + startingMs;
  return {
    ...counts,
    waiting: state.waits.summary(),
    finishing: state.finishes.summary(),
    busyHours: busyMs / HOUR_MS,
    idleHours: idleMs / HOUR_MS,
    startingHours: startingMs / HOUR_MS,
    /** The share of the workers' time in which they were busy. */
    utilisation: paidMs === 0 ? 0 : busyMs / paidMs,
    donePerHour: state.now === 0 ? 0 : counts.done / (state.now / HOUR_MS),
    endMs: state.now,
    events,
    timeline: state.timeline.points(),
  };
}
