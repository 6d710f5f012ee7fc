import { describe, expect, it } from 'vitest';
import { pageFor } from '../../../output/page.ts';
import { columnsOf } from '../../../output/visibleText.ts';
import type { StoreEvent } from '../../../wiring/store/openedStore.ts';
import { fleetStatusText } from './fleetStatusText.ts';
import type { FleetStatus, StatusWorker } from './gatherFleetStatus.ts';

const now = Date.UTC(2026, 10, 15, 12);

function worker(id: string, more: Partial<StatusWorker> = {}): StatusWorker {
  return {
    id,
    incarnation: 1,
    kind: 'default',
    queue: 'default',
    types: null,
    host: 'box',
    pid: 1,
    pidStart: '1',
    sessionId: null,
    accountKey: 'claude',
    idleLimitMs: 600_000,
    state: 'live',
    status: 'busy',
    shownStatus: 'busy',
    registeredAt: now - 600_000,
    launchUntil: null,
    heartbeatAt: now - 7_000,
    activityAt: now - 90_000,
    toolStartedAt: null,
    lastClaimedAt: null,
    lastSettledAt: null,
    idleSince: null,
    suspectAt: null,
    pausedUntil: null,
    stopBlocks: 2,
    lastBlockReason: null,
    exitCode: null,
    exitReason: null,
    taskId: 'abcdefgh12345678',
    attemptId: 'x',
    epoch: 1,
    taskTitle: 'a title that is long: ありがとう and then more and more and more and even more of it, to no end',
    ...more,
  };
}

const event: StoreEvent = {
  cursor: '1',
  at: now - 61_000,
  kind: 'task.lost',
  taskId: 'abcdefgh12345678',
  attemptId: 'x',
  workerId: 'box-w1',
  epoch: 1,
  actor: null,
  data: { reason: `crashed ${'x'.repeat(200)}` },
};

const status: FleetStatus = {
  now,
  store: `/home/someone/${'deep/'.repeat(30)}stopgate.db`,
  coordinators: [
    { fleet: 'box', host: 'box', pid: 77, pidStart: '1', store: 's', startedAt: now - 3_700_000, shortage: null },
  ],
  leaders: [{ fleet: 'box', holder: 'box:77:1', electedAt: now }],
  workers: [
    worker('box-w1'),
    worker('box-w2', { taskId: null, taskTitle: null, idleSince: now - 1_000, stopBlocks: 0 }),
  ],
  tasks: {
    ready: 3,
    claimed: 1,
    delayed: 0,
    blocked: 2,
    held: 0,
    verifying: 0,
    done: 9,
    dead: 1,
    cancelled: 0,
    nextDueAt: null,
  },
  unverified: 0,
  accounts: [{ key: 'claude', pausedUntil: now + 600_000, source: 'rate_limit' }],
  starts: { lastHour: 12, crashed: 5 },
  kept: [],
  reviews: 2,
  movedTo: null,
  unlanded: 0,
  full: [{ queue: 'nightly', limit: 2, waiting: 2 }],
  limits: { queues: [], keys: [] },
  overdue: [],
  queues: [{ queue: 'nightly', isPaused: true, ready: 2, isServed: true }],
  dead: [{ id: 'deadbeef00', title: 'x', lastError: 'it exited with code 1' }],
  resting: [{ slot: 'box-w3', why: 'crashLoop', untilAt: now + 840_000 }],
  events: Array.from({ length: 20 }, () => event),
};

const plain = { paint: (_style: unknown, text: string) => text, height: Number.POSITIVE_INFINITY };

describe('the page of a fleet', () => {
  it.each([60, 80, 100, 120, 200])('fits a terminal of %d columns', (width) => {
    for (const line of fleetStatusText(status, { ...plain, width }).split('\n')) {
      expect(columnsOf(line)).toBeLessThanOrEqual(width);
    }
  });

  it('lists workers on a terminal of 50 columns', () => {
    const { block } = pageFor({ outIsTerminal: true, columns: 50 }, { cwd: '/', homeDir: '/', env: {} });
    const text = fleetStatusText(status, { ...plain, width: 50, block });
    for (const line of text.split('\n')) expect(columnsOf(line)).toBeLessThanOrEqual(50);
    expect(text).toContain('box-w1\n  state: busy');
  });

  it.each([16, 24, 40])('fits a terminal of %d lines, and counts what it leaves out', (height) => {
    const workers = Array.from({ length: 50 }, (_unused, index) => worker(`box-w${index + 1}`));
    const text = fleetStatusText({ ...status, workers }, { ...plain, width: 120, height });
    expect(text.split('\n').length).toBeLessThanOrEqual(height);
    expect(text).toMatch(/… and \d+ more/);
  });

  it('shows the leader, tasks, pauses and crashes', () => {
    const text = fleetStatusText(status, { ...plain, width: 120 });
    expect(text).toContain('Leader   box: process 77, up');
    expect(text).toContain('Tasks    3 ready · 1 in progress · 9 done · 2 blocked · 1 dead');
    expect(text).toContain('Starts   12 in the last hour, 5 crashed');
    expect(text).toContain('Paused   box-w3 keeps crashing; restarts in 14m');
    expect(text).toContain('Paused   account claude until');
    expect(text).toMatch(/box-w1 +default +busy .* 2\/3 +abcdefgh a title/);
  });

  it.each([
    [
      { of: 'load', perCore: 9.21, limit: 4 } as const,
      'Full     fleet box needs another worker, but the load of this host is 9.2 per core; from 4 on, no more than one worker is started (`fleet up --ignore-load`',
    ],
    [
      { of: 'memory', freeBytes: 310_000_000, neededBytes: 512_000_000 } as const,
      'this host has 310.0 MB of free memory; a worker is started only with 512.0 MB',
    ],
  ])('shows what a host has too little of: %o', (shortage, sentence) => {
    const coordinators = status.coordinators.map((record) => ({ ...record, shortage }));
    expect(fleetStatusText({ ...status, coordinators }, { ...plain, width: 400 })).toContain(sentence);
    expect(fleetStatusText(status, { ...plain, width: 400 })).not.toContain('Full');
  });

  it('wraps what would be cut where it scrolls, and names coordinators in words', () => {
    const coordinators = status.coordinators.map((record) => ({
      ...record,
      shortage: { of: 'load', perCore: 9.21, limit: 4 } as const,
    }));
    const elected: StoreEvent = {
      ...event,
      ...{ kind: 'leader.elected', taskId: null, attemptId: null, workerId: null, epoch: null, data: {} },
      actor: 'box#a02.f20:16284:250@85',
    };
    const text = fleetStatusText({ ...status, coordinators, events: [elected] }, { ...plain, width: 80 });
    expect(text.replaceAll(/\n {9}/g, ' ')).toContain('(`fleet up --ignore-load` starts them anyway)');
    expect(text).toContain('leader elected process 16284 on box');
    expect(text).not.toContain('#a02');
  });

  it('names a coordinator that stands by only while another one is known to lead', () => {
    const text = (leaders: FleetStatus['leaders']) => fleetStatusText({ ...status, leaders }, { ...plain, width: 120 });
    expect(text([])).toContain('Leader   box: process 77, up');
    expect(text([{ fleet: 'other', holder: 'box:88:1', electedAt: now }])).toContain('Leader   box: process 77, up');
    expect(text([{ fleet: 'box', holder: 'box:88:1', electedAt: now }])).toContain('process 77, standing by, up');
  });

  it('warns when running workers have no coordinator', () => {
    const text = fleetStatusText({ ...status, coordinators: [] }, { ...plain, width: 120 });
    expect(text).toContain('none on this host; `stopgate fleet up` starts one (last known: box on box)');
  });
});
