import { setImmediate } from 'node:timers/promises';
import type { Scenario } from '../../../fleet/simulate/scenario.ts';
import { startSimulation } from '../../../fleet/simulate/simulation.ts';
import type { SimulationResult } from '../../../fleet/simulate/simulationResult.ts';
import { systemClock } from '../../../system/clock.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { alternativesOf } from './alternatives.ts';
import { money } from './amounts.ts';
import { comparisonText } from './comparisonText.ts';
import { progressBar } from './progressBar.ts';
import { simulateJson } from './simulateJson.ts';
import type { SimulateOptions } from './simulateOptions.ts';
import { simulateText } from './simulateText.ts';

/** Between two looks at the terminal, and at Ctrl-C. */
const SLICE = 100_000;

export async function runSimulate(options: SimulateOptions): Promise<number> {
  const costPerHour = options.costPerHour === undefined ? null : money('--cost-per-hour', options.costPerHour);
  const comparison = alternativesOf(options);
  const writer = processWriter(() => process.exit(0));
  const bar = progressBar(writer, systemClock.now);
  const results: SimulationResult[] = [];
  for (const { scenario } of comparison.alternatives) {
    const before = results.length;
    results.push(await simulated(scenario, (share) => bar.show((before + share) / comparison.alternatives.length)));
  }
  bar.clear();
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

async function simulated(scenario: Scenario, told: (share: number) => void): Promise<SimulationResult> {
  const simulation = startSimulation(scenario);
  while (simulation.run(SLICE)) {
    told(simulation.progress());
    await setImmediate();
  }
  return simulation.result();
}
