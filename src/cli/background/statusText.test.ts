import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../background/governor/limits.ts';
import type { BackgroundRun } from '../../schemas/backgroundRuns.ts';
import { pageFor } from '../hooks/page.ts';
import { statusText } from './statusText.ts';

const run = (more: Partial<BackgroundRun>): BackgroundRun => ({
  at: '2026-11-01T10:00:00.000Z',
  task: 'memory_extraction',
  project: '/p',
  session: 's',
  outcome: 'skipped',
  reason: 'off',
  durationMs: 0,
  requests: 0,
  tokens: 0,
  costUsd: 0,
  ...more,
});

it('tells a decision that was made again and again once, and every run', () => {
  const ran = run({ outcome: 'ran', reason: 'kept one', tokens: 1200, durationMs: 900 });
  const memory = { folder: '/m', facts: 2, bytes: 2048, recalled: true, lastDreamAt: null, backup: null };
  const runs = [run({}), ran, run({}), ran, run({})];
  const status = {
    project: '/p',
    log: '/h/background.jsonl',
    tasks: [],
    runs,
    memory,
    limits: DEFAULT_LIMITS,
    warnings: [],
  };
  const page = pageFor({ outIsTerminal: false, columns: 80 }, { cwd: '/p', homeDir: '/h', env: {} });
  const lines = statusText(status, page, Date.parse('2026-11-01T10:04:10Z')).split('\n');
  const decided = lines.filter((line) => line.startsWith('4m10s ago'));
  expect(decided).toEqual([
    '4m10s ago  memory extraction  skipped                 3 times: off',
    '4m10s ago  memory extraction  ran      900ms  1.2k    kept one',
    '4m10s ago  memory extraction  ran      900ms  1.2k    kept one',
  ]);
  expect(lines).toContain('2 facts, 2.0 kB in /m');
});
