import { describe, expect, it } from 'vitest';
import type { StoreEvent } from '../../../src/store/types.ts';
import { checkHistory, INVARIANTS } from './checkHistory.ts';
import type { FinalAttempt, FinalTask, History, HistoryEntry } from './history.ts';

const LIMITS = { failures: 0, maxFailures: 3, reclaims: 0, maxReclaims: 3, releases: 0, maxReleases: 3 };
const TASK: FinalTask = { id: 't', state: 'done', epoch: 1, attemptId: 'a1', result: 'r', ...LIMITS };
const ATTEMPT: FinalAttempt = { id: 'a1', taskId: 't', epoch: 1, state: 'succeeded', result: 'r', workerId: 'one-l1' };

interface Feed {
  readonly at?: number;
  readonly task?: string | null;
  readonly attempt?: string | null;
  readonly worker?: string | null;
  readonly epoch?: number | null;
  readonly data?: StoreEvent['data'];
}

const event = (kind: StoreEvent['kind'], feed: Feed = {}): StoreEvent => {
  const { at = 0, task = 't', attempt = 'a1', worker = 'one-l1', epoch = 1, data = {} } = feed;
  return { cursor: '', at, kind, taskId: task, attemptId: attempt, workerId: worker, epoch, actor: null, data };
};
const ADDED = event('task.added', { attempt: null, worker: null, epoch: null, data: { state: 'queued' } });
const claimed = (feed: Feed = {}) =>
  event('task.claimed', { ...feed, data: { state: 'claimed', attemptState: 'active' } });
const completed = (feed: Feed = {}) =>
  event('task.completed', { ...feed, data: { state: 'done', attemptState: 'succeeded', ...feed.data } });
const lost = (feed: Feed = {}) =>
  event('task.lost', { ...feed, data: { state: 'queued', attemptState: 'lost', reclaims: 1 } });

const CLAIM = { machine: 'one', taskId: 't', epoch: 1, attemptId: 'a1' };
const SENT = { ...CLAIM, operation: 'complete', result: 'r' } as const;
const ACCEPTED: HistoryEntry = { op: 'answered', ...SENT, answer: 'accepted', at: 30 };
const agent = (op: 'agentStarted' | 'agentSeen' | 'agentFinished', at: number, more = {}): HistoryEntry => ({
  op,
  ...CLAIM,
  at,
  ...more,
});

const SOUND: History = {
  entries: [
    agent('agentStarted', 10),
    agent('agentFinished', 20),
    { op: 'kept', ...SENT, at: 25 },
    { op: 'sent', ...SENT, at: 25 },
    ACCEPTED,
    { op: 'pushed', ...CLAIM, branch: 'sg/t/1', commit: 'c1', at: 19 },
  ],
  events: [ADDED, claimed({ at: 5 }), completed({ at: 29 })],
  tasks: [TASK],
  attempts: [ATTEMPT],
  machines: new Map([
    ['one-l1', 'one'],
    ['two-l1', 'two'],
  ]),
  refs: new Map([['sg/t/1', 'c1']]),
  leaseMs: 1_000,
  deliverMs: 500,
};

/** A second attempt, on another machine, whose result the store has. */
const SECOND = { attempt: 'a2', worker: 'two-l1', epoch: 2 };
const TAKEN: Partial<History> = {
  tasks: [{ ...TASK, epoch: 2, attemptId: 'a2', reclaims: 1 }],
  attempts: [
    { ...ATTEMPT, state: 'lost', result: null },
    { ...ATTEMPT, id: 'a2', epoch: 2, workerId: 'two-l1' },
  ],
  events: [
    ADDED,
    claimed({ at: 5 }),
    lost({ at: 3_000 }),
    claimed({ ...SECOND, at: 3_100 }),
    completed({ ...SECOND, at: 3_300 }),
  ],
};
const again = (op: 'agentStarted' | 'agentFinished', at: number) =>
  agent(op, at, { machine: 'two', attemptId: 'a2', epoch: 2 });
const found = (history: Partial<History>) => [
  ...new Set(checkHistory({ ...SOUND, ...history }).map(({ invariant }) => invariant)),
];

describe('a history without faults', () => {
  it('has no violations', () => {
    expect(checkHistory(SOUND)).toEqual([]);
  });

  it('has none where a machine was cut off for longer than its lease', () => {
    const entries: HistoryEntry[] = [
      agent('agentStarted', 10),
      { op: 'cut', machine: 'one', at: 15 },
      agent('agentSeen', 900),
      again('agentStarted', 3_150),
      again('agentFinished', 3_200),
    ];
    expect(found({ ...TAKEN, entries })).toEqual([]);
  });

  it('has none where a late result was accepted before the task was claimed again', () => {
    const entries: HistoryEntry[] = [{ op: 'cut', machine: 'one', at: 15 }, ACCEPTED];
    const events = [ADDED, claimed(), lost({ at: 20 }), completed({ data: { late: true, reclaims: 0 } })];
    expect(found({ entries, events })).toEqual([]);
  });
});

const tasks = (more: Partial<FinalTask>): Partial<History> => ({ tasks: [{ ...TASK, ...more }] });
const FAULTS: readonly (readonly [string, string, Partial<History>])[] = [
  ['I1', 'a claim while another one is active', { events: [ADDED, claimed(), claimed(SECOND), completed(SECOND)] }],
  [
    'I2',
    'two agents at the same time',
    { ...TAKEN, entries: [agent('agentStarted', 10), again('agentStarted', 3_150), agent('agentSeen', 3_400)] },
  ],
  ['I3', 'an acknowledged completion that is gone', tasks({ state: 'queued', attemptId: null, result: null })],
  ['I3', 'an acknowledged completion that was replaced', { ...TAKEN, entries: [ACCEPTED] }],
  ['I3', 'an acknowledged result that is another one', tasks({ result: 'other' })],
  ['I3', 'an acknowledged task that is not there', { tasks: [] }],
  [
    'I4',
    'two accepted attempts, as the hosts heard it',
    { entries: [ACCEPTED, { ...ACCEPTED, ...SENT, attemptId: 'a2', epoch: 2 } as HistoryEntry] },
  ],
  ['I4', 'two accepted attempts in the feed', { events: [ADDED, claimed(), completed(), completed(SECOND)] }],
  ['I4', 'two attempts that succeeded', { attempts: [ATTEMPT, { ...ATTEMPT, id: 'a2', epoch: 2 }] }],
  ['I5', 'an epoch that is used twice', { events: [ADDED, claimed(), lost(), claimed({ attempt: 'a2' })] }],
  [
    'I5',
    'an incarnation that is used twice',
    { events: [1, 1].map((n) => event('worker.registered', { task: null, data: { incarnation: n } })) },
  ],
  ['I6', 'a change without an event', { events: [ADDED, claimed()] }],
  ['I7', 'a task that is never done', tasks({ state: 'claimed' })],
  ['I8', 'more attempts than the limits allow', tasks({ maxFailures: 0, maxReclaims: 0, maxReleases: 0 })],
  [
    'I9',
    'a completion from an old epoch',
    { events: [ADDED, claimed(), lost(), claimed(SECOND), completed(), completed(SECOND)] },
  ],
  [
    'I9',
    'a failure reported from an old epoch',
    { events: [ADDED, claimed(), lost(), claimed(SECOND), event('task.failed'), completed(SECOND)] },
  ],
  [
    'I10',
    'another answer to the same settlement',
    { entries: [ACCEPTED, { ...ACCEPTED, answer: 'superseded' } as HistoryEntry] },
  ],
  ['I11', 'a dependant that begins too early', tasks({ dependsOn: ['before'] })],
  [
    'I13',
    'a worker that is stopped with its task',
    { events: [ADDED, claimed(), event('worker.stopped'), completed()] },
  ],
  [
    'I15',
    'a task that is taken from a live worker after its clock was set',
    { ...TAKEN, entries: [agent('agentStarted', 10), { op: 'clockSet', machine: 'one', byMs: 1e6, at: 20 }] },
  ],
  [
    'I16',
    'a slot that two coordinators start',
    { events: [1, 1].map((n) => event('worker.launching', { task: null, data: { incarnation: n } })) },
  ],
  [
    'W1',
    'finished work that is begun again although its machine was connected',
    {
      ...TAKEN,
      entries: [
        { op: 'cut', machine: 'one', at: 15 },
        agent('agentStarted', 10),
        agent('agentFinished', 20),
        { op: 'joined', machine: 'one', at: 1_000 },
        again('agentStarted', 3_150),
      ],
    },
  ],
  [
    'W1',
    'finished work that was kept, begun again after its worker was killed',
    {
      ...TAKEN,
      entries: [
        agent('agentFinished', 20),
        { op: 'kept', ...SENT, at: 25 },
        { op: 'workersKilled', machine: 'one', workers: ['one-l1'], at: 30 },
        again('agentStarted', 3_150),
      ],
    },
  ],
  [
    'W1',
    'finished work, begun again after its worker was killed, which had the time to write it down',
    {
      ...TAKEN,
      entries: [
        agent('agentFinished', 20),
        { op: 'workersKilled', machine: 'one', workers: ['one-l1'], at: 1_500 },
        again('agentStarted', 3_150),
      ],
    },
  ],
  [
    'W1',
    'finished work that was on the disk of a machine that was killed and came back in time',
    {
      ...TAKEN,
      entries: [
        { op: 'machineStarted', machine: 'one', disk: 'one', at: 0 },
        agent('agentFinished', 20),
        { op: 'noted', ...CLAIM, at: 30 },
        { op: 'machineKilled', machine: 'one', at: 100 },
        { op: 'machineStarted', machine: 'one.2', disk: 'one', at: 2_000 },
        again('agentStarted', 3_150),
      ],
    },
  ],
  [
    'W4',
    'finished work that is written down too late',
    { entries: [agent('agentFinished', 20), { op: 'noted', ...CLAIM, at: 9_000 }] },
  ],
  ['W2', 'a pushed commit that is not on the remote', { refs: new Map([['sg/t/1', 'c0']]) }],
  ['W3', 'a kept settlement that is never delivered', { entries: [{ op: 'kept', ...SENT, attemptId: 'a9', at: 25 }] }],
];

describe('a history with a fault', () => {
  it.each(FAULTS)('%s: %s', (invariant, _, history) => {
    expect(found(history)).toContain(invariant);
  });

  it('exists for every invariant', () => {
    expect(Object.keys(INVARIANTS).filter((name) => !FAULTS.some(([invariant]) => invariant === name))).toEqual([]);
  });
});

describe('finished work is done again with an excuse', () => {
  const EXCUSES: readonly (readonly [string, readonly HistoryEntry[]])[] = [
    ['its machine was cut off until then', [{ op: 'cut', machine: 'one', at: 15 }]],
    ['its machine was killed', [{ op: 'machineKilled', machine: 'one', at: 100 }]],
    [
      'its worker was killed before the agent had finished',
      [
        agent('agentStarted', 1_000, {}),
        { op: 'workersKilled', machine: 'one', workers: ['one-l1'], at: 1_010 },
        agent('agentFinished', 1_050),
      ],
    ],
    [
      'its machine was killed, and came back too late',
      [
        { op: 'machineStarted', machine: 'one', disk: 'one', at: 0 },
        { op: 'noted', ...CLAIM, at: 30 },
        { op: 'machineKilled', machine: 'one', at: 100 },
        { op: 'machineStarted', machine: 'one.2', disk: 'one', at: 2_800 },
      ],
    ],
    [
      'its worker was killed before it could write it down',
      [{ op: 'workersKilled', machine: 'one', workers: ['one-l1'], at: 1_010 }],
    ],
  ];
  it.each(EXCUSES)('%s', (_, more) => {
    const own = more.some(({ op }) => op === 'agentStarted')
      ? []
      : [agent('agentStarted', 10), agent('agentFinished', 20)];
    const entries = [...own, ...more, again('agentStarted', 3_150)];
    expect(found({ ...TAKEN, entries })).toEqual([]);
  });
});
