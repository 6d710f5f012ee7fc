import type { SimulationResult } from '../../../fleet/simulate/simulationResult.ts';
import type { Comparison } from './alternatives.ts';
import { costOf } from './cost.ts';

/** One object, or one an alternative with the value that was tried; the course of time only where there is one. */
export function simulateJson(
  comparison: Comparison,
  results: readonly SimulationResult[],
  costPerHour: number | null,
): object {
  const shown = results.map((result, index) => {
    const cost = costPerHour === null ? {} : costOf(result, costPerHour);
    if (comparison.name === null) return { ...result, ...cost };
    const { timeline: _course, ...figures } = result;
    return { [comparison.name]: comparison.alternatives[index]?.value, ...figures, ...cost };
  });
  return comparison.name === null ? (shown[0] ?? {}) : shown;
}
