import { describe, expect, it } from 'vitest';
import { thisHost } from '../../../../system/thisHost.ts';
import { columnsOf } from '../../../output/visibleText.ts';
import { VERBS } from '../../../wiring/standing/verbs.ts';
import type { Attempt, Task } from '../../../wiring/store/openedStore.ts';
import type { FleetStatus, StatusWorker } from '../status/gatherFleetStatus.ts';
import { keysNow, press } from './keys.ts';
import { ACTS } from './runWatch.ts';
import { stateOf } from './stateOf.ts';
import { contextOf, STARTING_UI, type Ui, withSelection } from './ui.ts';
import { type Item, itemsOf, type WatchFacts } from './watchFacts.ts';
import { watchPage } from './watchPage.ts';

const now = Date.UTC(2026, 10, 18, 12);

const worker = (id: string, more: Partial<StatusWorker> = {}): StatusWorker => ({
  ...{ id, incarnation: 1, kind: 'default', queue: 'default', types: null, host: 'box', pid: 1, pidStart: '1' },
  ...{
    sessionId: null,
    accountKey: 'claude',
    idleLimitMs: 600_000,
    state: 'live',
    status: 'busy',
    shownStatus: 'busy',
  },
  ...{ registeredAt: now, launchUntil: null, heartbeatAt: now - 7_000, activityAt: now - 90_000, toolStartedAt: null },
  ...{ lastClaimedAt: now - 60_000, lastSettledAt: null, idleSince: null, suspectAt: null, pausedUntil: null },
  ...{ stopBlocks: 0, lastBlockReason: null, exitCode: null, exitReason: null },
  ...{ taskId: 't1', attemptId: 'x', epoch: 1, taskTitle: 'build the parser' },
  ...more,
});
const idle = { status: 'idle', shownStatus: 'idle', taskId: null, taskTitle: null, idleSince: now - 60_000 } as const;

const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...{ id, queue: 'default', type: 'task', title: `title of ${id}`, body: '', priority: 100, runAt: now },
  ...{ judge: null, dedupeKey: null, parentId: null, maxFailures: 3, maxReclaims: 3, maxReleases: 20, backoffMs: 1 },
  ...{
    timeBudgetMs: null,
    costBudgetUsd: null,
    tokenBudget: null,
    totalTimeMs: null,
    countedFrom: 0,
    verify: null,
    verifyHolder: null,
    verifyUntil: null,
    holdReason: null,
    repository: null,
    base: null,
    concurrencyKey: null,
    concurrencyLimit: null,
    state: 'queued',
    status: 'ready',
  },
  ...{ unmetDependencies: 0, epoch: 1, attemptId: null, failures: 0, reclaims: 0, releases: 0, result: null },
  ...{ lastError: null, createdAt: now - 100_000, updatedAt: now - 100_000 },
  ...more,
});
const held = task('held', { status: 'held', holdReason: 'which API?' });
const dead = task('dead', { state: 'dead', status: 'dead', failures: 3, lastError: 'exit 1\nits whole output' });
const claimed = task('t1', { state: 'claimed', status: 'claimed', title: 'build the parser' });

const counts: FleetStatus['tasks'] = {
  ...{ ready: 1, claimed: 1, delayed: 0, blocked: 0, held: 1, verifying: 0, done: 0, dead: 1, cancelled: 0 },
  nextDueAt: null,
};
const status: FleetStatus = {
  ...{ now, store: '/s.db', coordinators: [], leaders: [], workers: [worker('w1'), worker('w2', idle)], tasks: counts },
  ...{
    unverified: 0,
    accounts: [],
    starts: { lastHour: 0, crashed: 0 },
    resting: [],
    kept: [],
    reviews: 0,
    movedTo: null,
    unlanded: 0,
    full: [],
    limits: { queues: [], keys: [] },
    overdue: [],
    queues: [],
    dead: [],
    events: [],
  },
};
const attempt = { claimedAt: now - 60_000, deadlineAt: now + 90_000, details: {} } as unknown as Attempt;
const facts: WatchFacts = {
  status,
  tasks: [claimed, held, dead, task('ready')],
  pausedQueues: new Set(),
  attempts: new Map([['t1', attempt]]),
  outputs: new Map([['w1', 'step 4 of 40']]),
  spends: new Map([['w1', 0.123]]),
};
const paused = (source: string): Partial<WatchFacts> => ({
  status: {
    ...status,
    accounts: [{ key: 'claude', pausedUntil: now + 300_000, source }],
    workers: [worker('w1', { ...idle, status: 'paused', shownStatus: 'paused', pausedUntil: now + 300_000 })],
  },
});

const full: Partial<WatchFacts> = {
  status: { ...status, reviews: 2, full: [{ queue: 'default', limit: 1, waiting: 2 }] },
};

const ofWorker = (more: Partial<StatusWorker>): Item => ({ type: 'worker', id: 'w', worker: worker('w', more) });
const ofTask = (more: Partial<Task>): Item => ({ type: 'task', id: 't', task: task('t', more) });

describe('the state of a row', () => {
  const cases: readonly [string, Item, Partial<WatchFacts>, string, RegExp][] = [
    ['a busy worker', ofWorker({}), {}, 'working', /^$/],
    ['an idle one', ofWorker(idle), {}, 'waiting', /^for a task: 1 held; stops in 9m$/],
    [
      'one of a paused queue',
      ofWorker(idle),
      { pausedQueues: new Set(['default']) },
      'waiting',
      /queue default is paused/,
    ],
    [
      'one that is silent',
      ofWorker({ shownStatus: 'unresponsive', heartbeatAt: now - 120_000 }),
      {},
      'silent',
      /for 2m$/,
    ],
    ['one whose process is gone', ofWorker({ shownStatus: 'gone' }), {}, 'dead', /requeues its task/],
    ['a starting one', ofWorker({ shownStatus: 'launching', launchUntil: now + 9_000 }), {}, 'starting', /within 9s/],
    ['a draining one', ofWorker({ shownStatus: 'draining' }), {}, 'draining', /finishes its task/],
    [
      'a slot that keeps crashing',
      { type: 'slot', id: 's', slot: { slot: 's', why: 'crashLoop', untilAt: now + 60_000 } },
      {},
      'paused',
      /keeps crashing; restarts in 1m/,
    ],
    ['a ready task', ofTask({}), {}, 'waiting', /^for a worker$/],
    ['one without any worker', ofTask({}), { status: { ...status, workers: [] } }, 'waiting', /no worker is running/],
    ['one whose workers are paused', ofTask({}), paused('rate_limit, worker w1'), 'waiting', /every worker is paused/],
    [
      'one whose queue is full of reviews',
      ofTask({}),
      full,
      'paused',
      /^2 attempts wait for review, and the limit is 1/,
    ],
    ['an idle worker of such a queue', ofWorker(idle), full, 'waiting', /^2 attempts wait for review.*; stops in 9m$/],
    ['one of a paused queue', ofTask({}), { pausedQueues: new Set(['default']) }, 'paused', /queue default/],
    [
      'a delayed one',
      ofTask({ status: 'delayed', runAt: now + 60_000, lastError: 'x' }),
      {},
      'waiting',
      /\(1m\), failed: x/,
    ],
    ['a blocked one', ofTask({ status: 'blocked', unmetDependencies: 2 }), {}, 'waiting', /^for 2 tasks$/],
    ['a held one', ofTask({ status: 'held', holdReason: 'why?' }), {}, 'needs you', /^held: why\?$/],
    ['a dead one', { type: 'task', id: 'dead', task: dead }, {}, 'dead', /^failed 3×: exit 1$/],
    ['a task of a lost worker', ofTask({ status: 'claimed' }), {}, 'silent', /not running/],
    ['a task in progress', { type: 'task', id: 't1', task: claimed }, {}, 'working', /^$/],
    ['a done one', ofTask({ status: 'done' }), {}, 'done', /^$/],
  ];
  it.each(cases)('%s', (_, item, more, state, why) => {
    const shown = stateOf(item, { ...facts, ...more }, now);
    expect(shown).toMatchObject({ state, why: expect.stringMatching(why) });
  });

  it.each([
    ['rate_limit, worker w1', 'paused'],
    ['paused by someone', 'paused'],
    ['authentication_failed, worker w1', 'needs you'],
    ['billing_error, worker w1', 'needs you'],
  ])('a worker whose account is paused by "%s": %s', (source, state) => {
    const all = { ...facts, ...paused(source) };
    const [item] = itemsOf(all, '').workers;
    if (item === undefined) throw new Error('no worker');
    expect(stateOf(item, all, now)).toMatchObject({ state, why: expect.stringContaining(source) });
  });
});

const uiOn = (pane: Ui['pane'], id: string, more: Partial<Ui> = {}): Ui => {
  const at = itemsOf(facts, '')[pane].findIndex((item) => item.id === id);
  return { ...STARTING_UI, pane, selected: { ...STARTING_UI.selected, [pane]: { id, at } }, ...more };
};
const on = (ui: Ui, all = facts) => contextOf(ui, all, { now, rows: 10 });

describe('keys', () => {
  it('that apply are named, and others are not', () => {
    expect(keysNow(on(uiOn('tasks', 'dead'))).join(' ')).toMatch(/enter details.*r requeue/);
    expect(keysNow(on(uiOn('tasks', 'dead'))).join(' ')).not.toMatch(/cancel|c cancel|hold/);
    expect(keysNow(on(uiOn('tasks', 'ready'))).join(' ')).toMatch(/c cancel.*p hold.*P pause queue/);
    expect(keysNow(on(uiOn('workers', 'w1'))).join(' ')).toMatch(/enter output.*c cancel.*p pause account/);
    expect(keysNow(on(uiOn('workers', 'w2'))).join(' ')).not.toMatch(/cancel/);
  });

  it('are listed by ?, which closes the list again', () => {
    const opened = press(on(uiOn('tasks', 'ready')), '?').ui;
    expect(opened).toMatchObject({ page: { type: 'keys' } });
    const ui = { ...uiOn('tasks', 'ready'), ...opened };
    expect(keysNow(on(ui)).join(' ')).toContain('? close');
    expect(press(on(ui), '?').ui).toMatchObject({ page: { type: 'list' } });
  });

  it('cancel only after y, and the task that was asked about', () => {
    const asked = press(on(uiOn('tasks', 'ready')), 'c');
    expect(asked.effect).toBeUndefined();
    const ui = { ...uiOn('tasks', 'held'), ...asked.ui };
    expect(press(on(ui), 'enter')).toEqual({});
    expect(press(on(ui), 'n')).toMatchObject({ ui: { question: null } });
    expect(press(on(ui), 'y').effect).toEqual({ type: 'act', request: { act: 'cancel', target: 'ready' } });
  });

  it('requeue a dead task, and say why another cannot be', () => {
    expect(press(on(uiOn('tasks', 'dead')), 'r').effect).toEqual({
      type: 'act',
      request: { act: 'redrive', target: 'dead' },
    });
    expect(press(on(uiOn('tasks', 'ready')), 'r')).toEqual({
      ui: { message: 'Only a dead or cancelled task can be requeued.' },
    });
  });

  it('go to what needs a person, and answer it', () => {
    const there = press(on(uiOn('workers', 'w1')), 'a');
    expect(there.ui).toMatchObject({ pane: 'tasks', selected: { tasks: { id: 'held' } } });
    const asked = press(on(uiOn('tasks', 'held')), 'a');
    expect(asked.ui?.question).toEqual({
      words: 'Release “title of held”? It is held: which API?',
      request: { act: 'unhold', target: 'held' },
    });
    const all = { ...facts, ...paused('authentication_failed, worker w1') };
    expect(press(on(uiOn('workers', 'w1'), all), 'a').ui?.question?.request).toEqual({
      act: 'resumeAccount',
      target: 'claude',
    });
  });

  it('type a duration for a pause, and nothing else meanwhile', () => {
    const asked = press(on(uiOn('workers', 'w1')), 'p');
    let ui: Ui = { ...uiOn('workers', 'w1'), ...asked.ui };
    expect(ui.typing).toMatchObject({ text: '1h', for: { act: 'pauseAccount', target: 'claude' } });
    for (const [key, typed] of [
      ['backspace', ''],
      ['q', 'q'],
      ['backspace', ''],
      ['m', 'm'],
    ] as const) {
      ui = { ...ui, ...press(on(ui), key, typed).ui };
    }
    expect(press(on(ui), 'enter').effect).toEqual({
      type: 'act',
      request: { act: 'pauseAccount', target: 'claude', text: '1m' },
    });
  });

  it('stay on the selected row while others appear above it, and near it when it is gone', () => {
    const ui = withSelection(uiOn('tasks', 'dead'), facts);
    const more = { ...facts, tasks: [task('new1'), task('new2'), ...facts.tasks] };
    expect(on(ui, more).item?.id).toBe('dead');
    const without = { ...facts, tasks: facts.tasks.filter(({ id }) => id !== 'dead') };
    expect(on(ui, without).item?.id).toBe('ready');
  });

  it('change nothing that only people may change by another way than their commands', () => {
    for (const { verb } of Object.values(ACTS)) expect(VERBS[verb]).toBe('person');
  });
});

const plain = (_style: unknown, text: string) => text;
const opened = { output: ['漢字 '.repeat(60), '\u001b[2Jescape\ttab', 'last line'], task: () => ['a task'] };
const show = (ui: Ui, width: number, height: number, all = facts) =>
  watchPage({ context: on(ui, all), opened, away: null }, { paint: plain, width, height });

describe('the page', () => {
  const pages: readonly Ui[] = [
    uiOn('workers', 'w1'),
    uiOn('tasks', 'held'),
    uiOn('tasks', 'held', {
      question: { words: 'x'.repeat(30).concat(' word'.repeat(30)), request: { act: 'cancel', target: '' } },
    }),
    uiOn('tasks', 'held', { message: 'a long message '.repeat(20) }),
    uiOn('tasks', 'held', { typing: { for: 'filter', words: 'Filter:', text: '漢'.repeat(80) } }),
    uiOn('workers', 'w1', { page: { type: 'output', workerId: 'w1' } }),
    uiOn('workers', 'w1', { page: { type: 'keys' } }),
  ];
  const long = {
    ...facts,
    tasks: facts.tasks.map((one) => ({ ...one, title: '漢字 and \u001b[31mmore '.repeat(20) })),
  };
  it.each([
    [40, 10],
    [60, 12],
    [80, 24],
    [200, 60],
    [20, 4],
  ])('fills %i columns and %i rows, and no more', (width, height) => {
    for (const ui of pages) {
      const { lines } = show(ui, width, height, long);
      expect(lines).toHaveLength(height);
      for (const line of lines) expect({ line, columns: columnsOf(line) }).toSatisfy(({ columns }) => columns <= width);
      expect(lines.join('')).not.toContain('\u001b');
    }
  });

  it('shows what each does, how long, what is left, its try and what it spent', () => {
    const text = show(uiOn('workers', 'w1'), 120, 24).lines.join('\n');
    expect(text).toMatch(/> ● working +w1 +1m +1m30s +1\/3 +\$0\.12 +build the parser › step 4 of 40/);
    expect(text).toMatch(/! needs you +held .*\[held: which API\?\] title of held/);
    expect(text).toMatch(/workers: 1 working, 1 waiting · tasks: 1 in progress, 1 ready, 1 held, 1 dead/);
  });

  it('shows why a host starts no worker, and does not advise another fleet', () => {
    const record = { fleet: 'f', host: 'box', pid: 7, pidStart: '1', store: 's', startedAt: now };
    const shortage = { of: 'memory', freeBytes: 100_000_000, neededBytes: 500_000_000 } as const;
    const textWith = (coordinators: FleetStatus['coordinators']) =>
      show(STARTING_UI, 200, 24, { ...facts, status: { ...status, workers: [], coordinators } }).lines.join('\n');
    const text = textWith([{ ...record, shortage }]);
    expect(text).toContain('this host has 100.0 MB of free memory; a worker is started only with 500.0 MB');
    expect(text).toContain('No worker is running; the reason is above.');
    expect(textWith([{ ...record, shortage: null }])).toContain('the coordinator starts some when tasks wait');
    expect(textWith([])).toContain('`stopgate fleet up` starts some. Tasks are waiting.');
  });

  it('names the store to which the tasks have moved, and advises no fleet for the old one', () => {
    const moved = { ...facts, status: { ...status, workers: [], movedTo: '/new.db' } };
    const text = show(STARTING_UI, 100, 24, moved).lines.join('\n');
    expect(text).toContain('! its tasks have moved to /new.db; this is their state at that time');
    expect(text).toContain('No worker is running; the reason is above.');
  });

  it('formats only the visible ones of 1,000 tasks, around the selected one', () => {
    let formatted = 0;
    const many = Array.from({ length: 1_000 }, (_unused, at) => {
      const one = task(`task${at}`, { status: 'dead' });
      const get = () => `read ${++formatted} times`;
      return Object.defineProperty({ ...one }, 'lastError', { get });
    });
    const all = { ...facts, tasks: many, status: { ...status, tasks: { ...counts, ready: 4_997 } } };
    const ui: Ui = {
      ...STARTING_UI,
      pane: 'tasks',
      selected: { ...STARTING_UI.selected, tasks: { id: 'task500', at: 500 } },
    };
    const { lines, visible } = show(ui, 100, 24, all);
    const text = lines.join('\n');
    expect(text).toMatch(/> ✗ dead +task500/);
    expect(text).toContain('TASKS 5,000');
    expect(text).toContain('… 4,000 more are not listed');
    expect(visible.length).toBeLessThan(24);
    expect(formatted).toBeGreaterThan(0);
    expect(formatted).toBeLessThan(100);
  });

  it('names work that waits for review, and a queue that waits for it', () => {
    const above = (all: WatchFacts) => show(uiOn('workers', 'w1'), 120, 24, all).lines.slice(0, 4).join('\n');
    const waiting = { ...facts, status: { ...status, reviews: 2 } };
    expect(above(waiting)).toContain('2 finished attempts wait for you: stopgate review');
    expect(above({ ...facts, ...full })).toMatch(/queue default: 2 attempts wait for review, and the limit is 1/);
    expect(above({ ...facts, ...full })).not.toContain('finished attempts');
  });

  it('keeps the first rows of the other pane in view, wherever its selection went', () => {
    const done = Array.from({ length: 40 }, (_unused, at) => task(`done${at}`, { state: 'done', status: 'done' }));
    const all = { ...facts, tasks: [...facts.tasks, ...done] };
    const ui = {
      ...uiOn('workers', 'w1'),
      selected: { workers: { id: 'w1', at: 0 }, tasks: { id: 'done39', at: 43 } },
    };
    const text = show(ui, 80, 24, all).lines.join('\n');
    expect(text).toMatch(/● working +t1/);
    expect(text).toMatch(/! needs you +held/);
    expect(show({ ...ui, pane: 'tasks' }, 80, 24, all).lines.join('\n')).toMatch(/> ✓ done +done39/);
  });

  it('counts all workers while a filter shows none', () => {
    const text = show(uiOn('tasks', 'held', { filter: 'which' }), 100, 24).lines.join('\n');
    expect(text).toContain('workers: 1 working, 1 waiting');
  });

  it('names a leader elsewhere by its host, and none that is gone from here', () => {
    const led = (holder: string) => {
      const all = { ...facts, status: { ...status, leaders: [{ fleet: 'night', holder, electedAt: now }] } };
      return show(uiOn('workers', 'w1'), 120, 24, all).lines[0];
    };
    expect(led('far#1.2:77:5@b')).toContain('· night led from far ·');
    expect(led(`${thisHost()}:77:5@b`)).toContain('· no coordinator on this host ·');
  });

  it('finds rows by a filter and says when none is left', () => {
    expect(show(uiOn('tasks', 'held', { filter: 'PARSER' }), 100, 24).lines.join('\n')).toMatch(/TASKS 1 found/);
    expect(show(uiOn('tasks', 'held', { filter: 'zzz' }), 100, 24).lines.join('\n')).toContain(
      'Nothing matches “zzz”.',
    );
  });

  it('asks a question as a whole on a narrow terminal', () => {
    const asked = press(on(uiOn('tasks', 'held')), 'a').ui;
    const text = show({ ...uiOn('tasks', 'held'), ...asked }, 40, 10).lines.join(' ');
    expect(text).toContain('which API? (y/n)');
  });

  it('keeps what was read while the store is away', () => {
    const view = { context: on(uiOn('workers', 'w1')), opened, away: 'The file is gone. Last read 5s ago.' };
    const text = watchPage(view, { paint: plain, width: 100, height: 24 }).lines.join('\n');
    expect(text).toMatch(/● working[\s\S]*The file is gone\. Last read 5s ago\./);
  });
});
