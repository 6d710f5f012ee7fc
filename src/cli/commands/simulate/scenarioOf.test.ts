import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../testing/tempFolder.ts';
import { alternativesOf } from './alternatives.ts';
import { scenarioOf } from './scenarioOf.ts';
import type { SimulateOptions } from './simulateOptions.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const options: SimulateOptions = {
  workers: '4',
  minWorkers: '0',
  kind: 'default',
  startUp: '20s',
  arrivals: 'poisson:10/h',
  taskLength: 'exp:12m',
  fail: '0%',
  crash: '0%',
  tick: '5s',
  detect: 'process',
  seed: '1',
};
const scenario = (changes: Partial<SimulateOptions>) => scenarioOf({ ...options, ...changes });

describe('a scenario from the command line', () => {
  it.each<[Partial<SimulateOptions>, object]>([
    [{}, { workers: 4, idleLimitsMs: [10 * MINUTE], startUpMs: 20_000, durationMs: 24 * HOUR, rateLimit: null }],
    [{ arrivals: 'poisson:36/h' }, { arrivals: { type: 'poisson', perMs: 0.00001 } }],
    [{ arrivals: 'every:5m' }, { arrivals: { type: 'every', everyMs: 5 * MINUTE } }],
    [{ arrivals: 'burst:200' }, { arrivals: { type: 'burst', size: 200, everyMs: null }, durationMs: null }],
    [
      { arrivals: 'burst:200,every:6h' },
      { arrivals: { type: 'burst', size: 200, everyMs: 6 * HOUR }, durationMs: 24 * HOUR },
    ],
    [{ arrivals: 'burst' }, { arrivals: { type: 'burst', size: 100 } }],
    [{ arrivals: 'daily:864' }, { arrivals: { type: 'daily', perMs: 0.00001 } }],
    [{ taskLength: '5m' }, { lengths: { type: 'fixed', ms: 5 * MINUTE } }],
    [{ taskLength: 'uniform:1m-30m' }, { lengths: { type: 'uniform', fromMs: MINUTE, toMs: 30 * MINUTE } }],
    [{ taskLength: 'lognormal:10m,1.2' }, { lengths: { type: 'lognormal', medianMs: 10 * MINUTE, sigma: 1.2 } }],
    [{ kind: 'critical:2,temporary' }, { idleLimitsMs: [30 * MINUTE, 30 * MINUTE, 5 * MINUTE] }],
    [{ kind: 'persistent' }, { idleLimitsMs: [null] }],
    [{ idleTimeout: 'never' }, { idleLimitsMs: [null] }],
    [
      { fail: '5%', crash: '0.01' },
      { failRate: 0.05, crashRate: 0.01 },
    ],
    [{ rateLimit: 'every:2h,for:20m' }, { rateLimit: { everyMs: 2 * HOUR, forMs: 20 * MINUTE } }],
    [{ tasks: '1000000' }, { maxTasks: 1_000_000, durationMs: null }],
    [
      { for: '7d', startUp: '0s', detect: 'heartbeat' },
      { durationMs: 168 * HOUR, startUpMs: 0, watches: 'heartbeats' },
    ],
  ])('%o', (changes, expected) => {
    expect(scenario(changes)).toMatchObject(expected);
  });

  it.each<[Partial<SimulateOptions>, string]>([
    [{ workers: '0' }, '--workers must be a whole number from 1 to 100,000, got "0".'],
    [{ minWorkers: '5' }, '--min-workers must be a whole number from 0 to 4, got "5".'],
    [{ kind: 'boss' }, '--kind boss is not a kind of worker; use default, critical, temporary, persistent.'],
    [{ taskLength: 'uniform:5m' }, '--task-length uniform:5m has no end; write uniform:1m-30m.'],
    [{ taskLength: 'uniform:5m-1m' }, '--task-length uniform:5m-1m ends before it begins.'],
    [{ fail: '60%', crash: '60%' }, '--fail and --crash add up to more than 100%.'],
    [
      { rateLimit: 'every:1h,for:1h' },
      '--rate-limit every:1h,for:1h never ends; the pause must be shorter than the interval.',
    ],
    [
      { arrivals: 'poisson:9999/s' },
      'That would be about 864 million tasks; the limit is 5 million (use --tasks or --for).',
    ],
    [{ compare: 'worker=2,4' }, '--compare worker=2,4 names no option that can be compared; did you mean workers=…?'],
    [{ compare: 'workers=2,x' }, '--workers must be a whole number from 1 to 100,000, got "x".'],
  ])('%o is refused in one sentence', (changes, sentence) => {
    expect(() => alternativesOf({ ...options, ...changes })).toThrow(sentence);
  });

  it('reads times from a file, and names the line of an invalid one', async () => {
    await using folder = await tempFolder();
    const file = path.join(folder.path, 'times');
    writeFileSync(file, '2026-01-31T09:00:10Z\n\n2026-01-31T09:00:00Z\n');
    expect(scenario({ arrivals: file }).arrivals).toEqual({ type: 'times', times: Float64Array.of(0, 10_000) });
    writeFileSync(file, '5\n7.5\n');
    expect(scenario({ arrivals: `file:${file}` }).arrivals).toEqual({
      type: 'times',
      times: Float64Array.of(5_000, 7_500),
    });
    writeFileSync(file, '5\nsoon\n');
    expect(() => scenario({ arrivals: file })).toThrow(`${file}:2: "soon" is not a time`);
  });

  it('is one per compared value', () => {
    const { name, alternatives } = alternativesOf({ ...options, compare: 'idle-timeout=5m,never' });
    expect(name).toBe('idle-timeout');
    expect(alternatives.map(({ value, scenario: { idleLimitsMs } }) => [value, idleLimitsMs])).toEqual([
      ['5m', [5 * MINUTE]],
      ['never', [null]],
    ]);
    const limits = alternativesOf({ ...options, compare: 'rate-limit=every:2h,for:5m;every:4h,for:5m' });
    expect(limits.alternatives).toHaveLength(2);
  });
});
