import { describe, expect, it } from 'vitest';
import { startSimulation } from '../../../fleet/simulate/simulation.ts';
import type { Paint } from '../../output/colors.ts';
import { chartLines, shortNumber } from './chart.ts';
import { comparisonText } from './comparisonText.ts';
import { scenarioOf } from './scenarioOf.ts';
import { simulateText } from './simulateText.ts';

const plain: Paint = (_style, text) => text;

describe('a chart of blocks', () => {
  it('has eight steps per line, shade behind, and shows every value above zero', () => {
    const series = { values: [0, 0.01, 2, 4], behind: [4, 4, 4, 4], style: 'green' } as const;
    expect(chartLines('Workers', series, { paint: plain, height: 2, labelWidth: 2 })).toEqual([
      'Workers',
      ' 4 │░░░█',
      ' 0 │░▁██',
    ]);
  });

  it('is empty for zeros', () => {
    const lines = chartLines('Queue', { values: [0, 0], style: 'red' }, { paint: plain, height: 1, labelWidth: 1 });
    expect(lines).toEqual(['Queue', '1 │']);
  });

  it.each([
    [0.4, '0.4'],
    [12, '12'],
    [3_400, '3.4k'],
    [123_456, '123k'],
  ])('writes %d as %s', (value, text) => {
    expect(shortNumber(value)).toBe(text);
  });
});

describe('the report', () => {
  const flags = {
    workers: '3',
    minWorkers: '0',
    kind: 'default',
    startUp: '20s',
    arrivals: 'burst:20',
    taskLength: '5m',
  };
  const others = { fail: '0', crash: '0', tick: '5s', detect: 'process', seed: '1' };
  const scenario = scenarioOf({ ...flags, ...others });
  const simulation = startSimulation(scenario);
  while (simulation.run(1_000));
  const result = simulation.result();

  it('shows the results', () => {
    const text = simulateText(result, { paint: plain, columns: 60, costPerHour: 2 });
    expect(text).toContain('20 of 20 done, 0 dead');
    expect(text).toContain('3 at most, 3 starts, 0 of them replacements, 3\n            stopped when idle');
    const lines = text.split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it('leaves out columns that do not fit, and reports them', () => {
    const comparison = { name: 'workers', alternatives: [{ value: '3', scenario }] };
    const wide = comparisonText(comparison, [result], {
      paint: plain,
      columns: Number.POSITIVE_INFINITY,
      costPerHour: 2,
    });
    expect(wide.split('\n')[0]).toBe(
      'WORKERS  WAIT    P50     P95     P99     MAX     IDLE H  USED   STARTS  REPLACED  DEAD  DONE/H  IDLE COST  COST',
    );
    const narrow = comparisonText(comparison, [result], { paint: plain, columns: 60, costPerHour: 2 });
    expect(
      Math.max(
        ...narrow
          .split('\n')
          .slice(0, 2)
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(60);
    expect(narrow).toContain('(--json shows all)');
  });
});
