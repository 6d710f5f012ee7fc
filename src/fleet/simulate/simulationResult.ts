import type { SimulationState } from './simulationState.ts';
import type { SpreadSummary } from './spread.ts';
import type { TimelinePoint } from './timeline.ts';

export interface SimulationResult {
  readonly tasks: number;
  readonly done: number;
  readonly dead: number;
  readonly attempts: number;
  readonly failures: number;
  readonly crashes: number;
  readonly rateLimited: number;
  /** From added to first claimed. */
  readonly waiting: SpreadSummary;
  /** From added to done. */
  readonly finishing: SpreadSummary;
  readonly starts: number;
  /** Starts that replaced a crashed worker. */
  readonly replacements: number;
  readonly idleStops: number;
  readonly mostLive: number;
  readonly busyHours: number;
  readonly idleHours: number;
  readonly startingHours: number;
  /** The share of the workers' time in which they were busy. */
  readonly utilisation: number;
  readonly donePerHour: number;
  /** Virtual. */
  readonly endMs: number;
  readonly events: number;
  readonly timeline: readonly TimelinePoint[];
}

const HOUR_MS = 60 * 60_000;

export function simulationResult(state: SimulationState, events: number): SimulationResult {
  const { busyMs, idleMs, startingMs, ...counts } = state.tally;
  const paidMs = busyMs + idleMs + startingMs;
  return {
    ...counts,
    waiting: state.waits.summary(),
    finishing: state.finishes.summary(),
    busyHours: busyMs / HOUR_MS,
    idleHours: idleMs / HOUR_MS,
    startingHours: startingMs / HOUR_MS,
    utilisation: paidMs === 0 ? 0 : busyMs / paidMs,
    donePerHour: state.now === 0 ? 0 : counts.done / (state.now / HOUR_MS),
    endMs: state.now,
    events,
    timeline: state.timeline.points(),
  };
}
