import { setImmediate } from 'node:timers/promises';
import type { Scenario } from '../../../fleet/simulate/scenario.ts';
import type { SimulationResult } from '../../../fleet/simulate/simulation.ts';
import { startSimulation } from '../../../fleet/simulate/simulation.ts';
import { systemClock } from '../../../system/clock.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { progressOn } from '../../output/progress.ts';
import { alternativesOf, type Comparison } from './alternatives.ts';
import { comparisonText } from './comparisonText.ts';
import { money } from './readPatterns.ts';
import type { SimulateOptions } from './scenarioOf.ts';
import { costOf, simulateText } from './simulateText.ts';

/** Steps between two updates of the progress bar. */
const SLICE = 100_000;

export async function runSimulate(options: SimulateOptions): Promise<number> {
  const costPerHour = options.costPerHour === undefined ? null : money('--cost-per-hour', options.costPerHour);
  const comparison = alternativesOf(options);
  const writer = processWriter(() => process.exit(0));
  const progress = progressOn(writer, systemClock.now);
  const results: SimulationResult[] = [];
  for (const { scenario } of comparison.alternatives) {
    const show = (share: number) =>
      progress.show('simulating', (results.length + share) / comparison.alternatives.length, 1);
    results.push(await simulated(scenario, show));
  }
  progress.end();
  const columns = writer.outIsTerminal ? writer.columns : Number.POSITIVE_INFINITY;
  const layout = { paint: paintFor(writer.outIsTerminal, process.env), columns, costPerHour };
  const [first] = results;
  if (options.json) writer.out(`${JSON.stringify(simulateJson(comparison, results, costPerHour))}\n`);
  else if (comparison.name === null && first)
    writer.out(simulateText(first, { ...layout, columns: Math.min(columns, 100) }));
  else writer.out(comparisonText(comparison, results, layout));
  await drained();
  return 0;
}

async function simulated(scenario: Scenario, onProgress: (share: number) => void): Promise<SimulationResult> {
  const simulation = startSimulation(scenario);
  while (simulation.run(SLICE)) {
    onProgress(simulation.progress());
    await setImmediate();
  }
  return simulation.result();
}

/** One result with its timeline, or one result per alternative without. */
function simulateJson(
  { name, alternatives }: Comparison,
  results: readonly SimulationResult[],
  costPerHour: number | null,
): object {
  const shown = results.map((result) => ({ ...result, ...(costPerHour !== null && costOf(result, costPerHour)) }));
  if (name === null) return shown[0] ?? {};
  return shown.map(({ timeline: _timeline, ...figures }, index) => ({
    [name]: alternatives[index]?.value,
    ...figures,
  }));
}
