import type { SimulationState } from './simulationState.ts';

export type SimulationResult = ReturnType<typeof simulationResult>;

const HOUR_MS = 60 * 60_000;

/** All times are virtual. */
export function simulationResult(state: SimulationState, events: number) {
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
