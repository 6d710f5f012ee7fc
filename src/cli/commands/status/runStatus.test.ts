import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../../background/governor/limits.ts';
import type { BackgroundRun } from '../../../schemas/backgroundRuns.ts';
import type { GateDecision } from '../../../schemas/ledger.ts';
import { pageFor } from '../../output/page.ts';
import { gateLines, gateSessions } from './gateStatus.ts';
import { statusText } from './runStatus.ts';

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

it('shows a repeated decision once, and every run', () => {
  const ran = run({ outcome: 'ran', reason: 'kept one', tokens: 1200, durationMs: 900 });
  const memory = { folder: '/m', facts: 2, bytes: 2048, recalled: true, lastDreamAt: null, backup: null };
  const runs = [run({}), ran, run({}), ran, run({})];
  const status = {
    project: '/p',
    log: '/h/background.jsonl',
    tasks: [],
    runs,
    memory,
    trust: { level: 'none' as const, leftOut: [] },
    gate: { armed: 'Checks armed: tests.', accepted: [], sessions: [] },
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

it('lists the last result of each session, latest first', () => {
  const decided = (session: string, minute: number, type: 'blocked' | 'stalled' | 'passed' | null): GateDecision => {
    const about = {
      at: `2026-11-01T10:0${minute}:00.000Z`,
      ...{ session, folder: '/p', agent: 'claudeCode', hostPid: 1, worker: null },
      launch: session === 'second' ? 'abc' : null,
    };
    if (type === null) return { ...about, type: 'sessionStart', ending: null };
    return { ...about, type: 'stop', ending: { type, reason: `${type} (tests)`, checks: [] }, durationMs: 5 };
  };
  const sessions = gateSessions([
    decided('first', 0, 'blocked'),
    decided('second', 1, 'passed'),
    decided('third', 2, null),
    decided('first', 3, 'stalled'),
  ]);
  const page = pageFor({ outIsTerminal: false, columns: 80 }, { cwd: '/p', homeDir: '/h', env: {} });
  const text = gateLines(
    { armed: 'Checks armed: tests.', accepted: [], sessions },
    page,
    Date.parse('2026-11-01T10:04:10Z'),
  ).join('\n');
  expect(text.split('\n')).toEqual([
    'Checks armed: tests.',
    'WHEN       SESSION  AGENT                   STOPS  OUTCOME    DETAILS',
    '1m10s ago  first    claudeCode              2      = stalled  stalled (tests)',
    '3m10s ago  second   claudeCode, launch abc  1      ✓ passed   passed (tests)',
  ]);
});
