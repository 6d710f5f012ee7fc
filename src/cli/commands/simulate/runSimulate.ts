import { setImmediate } from 'node:timers/promises';
import type { Scenario } from '../../../fleet/simulate/scenario.ts';
import type { SimulationResult } from '../../../fleet/simulate/simulation.ts';
import { startSimulation } from '../../../fleet/simulate/simulation.ts';
import { systemClock } from '../../../system/clock.ts';
import { CLEAR_LINE } from '../../../system/terminalText.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
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

const BAR_WIDTH = 30;
/** Shorter runs show no bar. */
const QUIET_MS = 400;

/** On a terminal only; cleared when the result is printed. */
function progressBar(writer: Pick<Writer, 'err' | 'errIsTerminal'>, now: () => number) {
  const startedAt = now();
  let isShown = false;
  return {
    show: (share: number) => {
      if (!writer.errIsTerminal || now() - startedAt < QUIET_MS) return;
      isShown = true;
      const full = Math.round(share * BAR_WIDTH);
      const percent = `${Math.floor(share * 100)}%`.padStart(4);
      writer.err(`${CLEAR_LINE}${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}${percent}`);
    },
    clear: () => {
      if (isShown) writer.err(CLEAR_LINE);
    },
  };
}
