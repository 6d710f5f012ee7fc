import type { SimulationResult } from '../../../fleet/simulate/simulationResult.ts';

type Hours = Pick<SimulationResult, 'busyHours' | 'idleHours' | 'startingHours'>;

/** A worker costs while it runs, whatever it does. */
export function costOf({ busyHours, idleHours, startingHours }: Hours, costPerHour: number) {
  return { totalUsd: (busyHours + idleHours + startingHours) * costPerHour, idleUsd: idleHours * costPerHour };
}
