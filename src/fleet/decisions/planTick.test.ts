import { describe, expect, it } from 'vitest';
import type { FleetFacts, FleetWorker } from './fleetFacts.ts';
import { planTick } from './planTick.ts';
import type { RunEnd } from './restartBudget.ts';

const MINUTE = 60_000;
const now = 10_000 * MINUTE;

function seen(id: string, worker: Partial<FleetWorker['worker']> = {}, more: Partial<FleetWorker> = {}): FleetWorker {
  const live: FleetWorker['worker'] = {
    id,
    incarnation: 1,
    pid: 100,
    pidStart: '5',
    state: 'live',
    host: 'here',
    launchUntil: null,
    heartbeatAt: now - 15_000,
    activityAt: now - MINUTE,
    toolStartedAt: null,
    lastClaimedAt: null,
    sessionId: 's',
    suspectAt: null,
    taskId: null,
    pausedUntil: null,
  };
  return { worker: { ...live, ...worker }, process: 'running', ...more };
}
const slots = ['a', 'b', 'c'].map((slot) => ({ slot, isKept: false, ends: [] }));
const facts: FleetFacts = {
  now,
  host: 'here',
  awakeSince: now - 60 * MINUTE,
  leaderEpoch: 4,
  shutdown: null,
  workers: [],
  slots,
  ready: 0,
  most: 3,
  room: 10,
  account: null,
};
const crash: RunEnd = { startedAt: now - 2_000, endedAt: now - 100, ending: 'crashed', madeProgress: false };
const silent = { heartbeatAt: now - 10 * MINUTE, suspectAt: now - 5 * MINUTE, taskId: 't' };

/** Each action as `type who`. */
const plan = (more: Partial<FleetFacts>) =>
  planTick({ ...facts, ...more }).map((action) => `${action.type} ${'slot' in action ? action.slot : action.workerId}`);

describe('one look of a coordinator', () => {
  it.each<[string, Partial<FleetFacts>, string[]]>([
    ['nothing to do', {}, []],
    ['no tasks, no starts', { workers: [seen('a')] }, []],
    ['tasks wait', { ready: 2 }, ['startWorker a', 'startWorker b']],
    ['more tasks than slots', { ready: 99 }, ['startWorker a', 'startWorker b', 'startWorker c']],
    ['idle ones take them', { ready: 1, workers: [seen('a')] }, []],
    ['one starts already', { ready: 1, workers: [seen('a', { state: 'launching', launchUntil: now + 1 })] }, []],
    ['busy ones do not', { ready: 1, workers: [seen('a', { taskId: 't' })] }, ['startWorker b']],
    ['paused ones do not', { ready: 1, workers: [seen('a', { pausedUntil: now + MINUTE })] }, ['startWorker b']],
    [
      'stopped ones leave their slot',
      { ready: 1, workers: [seen('a', { state: 'stopped' }, { process: 'gone' })] },
      ['startWorker a'],
    ],
    [
      'stopped ones whose process has not gone do not',
      { ready: 1, workers: [seen('a', { state: 'stopped' })] },
      ['startWorker b'],
    ],
    ['the minimum runs without tasks', { slots: [{ slot: 'k', isKept: true, ends: [] }, ...slots] }, ['startWorker k']],
    [
      'the minimum counts for the tasks',
      { ready: 1, slots: [{ slot: 'k', isKept: true, ends: [] }, ...slots] },
      ['startWorker k'],
    ],
    ['no room', { ready: 2, room: 1 }, ['startWorker a']],
    ['the most is reached', { ready: 5, most: 1, workers: [seen('z', { taskId: 't' })] }, []],
    ['another leads', { ready: 2, leaderEpoch: null }, []],
    ['a slot that just crashed waits', { ready: 1, slots: [{ slot: 'a', isKept: false, ends: [crash] }] }, []],
    ['a host where everything crashes is paused', { ready: 1, hostEnds: Array.from({ length: 20 }, () => crash) }, []],
    ['the account is paused', { ready: 3, account: { pausedUntil: now + 1 } }, []],
    ['the pause is long over', { ready: 1, account: { pausedUntil: now - MINUTE } }, ['startWorker a']],
    ['above the most, idle ones go first', { most: 1, workers: [seen('a', { taskId: 't' }), seen('b')] }, ['drain b']],
    // existing workers first, also without leading
    ['silent', { workers: [seen('a', { heartbeatAt: now - 3 * MINUTE })] }, ['markSuspect a']],
    ['silent twice', { workers: [seen('a', silent)] }, ['endGroup a']],
    ['silent twice, being ended', { workers: [seen('a', silent, { isEnding: true })] }, []],
    ['would not die', { workers: [seen('a', silent, { wouldNotDie: true })] }, ['deferReclaim a']],
    ['would not die, noted', { workers: [seen('a', silent, { wouldNotDie: true, isDeferred: true })] }, []],
    ['gone', { workers: [seen('a', { taskId: 't' }, { process: 'gone' })], leaderEpoch: null }, ['release a']],
    [
      'lapsed on another host',
      { workers: [seen('a', { ...silent, host: 'there' }, { process: 'unknown' })] },
      ['release a'],
    ],
    [
      'lapsed on another host, while another leads',
      { workers: [seen('a', { ...silent, host: 'there' }, { process: 'unknown' })], leaderEpoch: null },
      [],
    ],
    [
      'never registered',
      { workers: [seen('a', { state: 'launching', launchUntil: now - 11 * MINUTE })] },
      ['endGroup a', 'endLaunch a'],
    ],
    ['quiet for 16 min', { workers: [seen('a', { taskId: 't', activityAt: now - 16 * MINUTE })] }, ['warn a']],
    ['quiet for 25 min', { workers: [seen('a', { taskId: 't', activityAt: now - 25 * MINUTE })] }, ['warn a']],
    ['quiet for 36 min', { workers: [seen('a', { taskId: 't', activityAt: now - 36 * MINUTE })] }, ['endGroup a']],
    ['paused and silent: neither dead nor replaced', { workers: [seen('a', { ...silent, pausedUntil: now + 1 })] }, []],
  ])('%s', (_name, more, actions) => {
    expect(plan(more)).toEqual(actions);
  });

  it('fills a slot only at the look after it was cleared', () => {
    const workers = [seen('a', { taskId: 't' }, { process: 'gone' })];
    expect(plan({ workers, ready: 1, slots: slots.slice(0, 1) })).toEqual(['release a']);
  });

  it('starts the workers of one paused account one after the other', () => {
    const many = Array.from({ length: 40 }, (_unused, n) => ({ slot: `w${n}`, isKept: false, ends: [] }));
    const account = { pausedAt: now - 20 * MINUTE, pausedUntil: now };
    const started = [0, 30_000, 60_000, 120_000].map((later) => {
      return planTick({ ...facts, most: 40, room: 40, ready: 40, slots: many, now: now + later, account }).length;
    });
    expect(started[0]).toBeLessThan(8);
    expect(started[1]).toBeLessThan(started[2] as number);
    expect(started[3]).toBe(40);
  });

  it('is the same for two coordinators that see the same', () => {
    const workers = [seen('a', silent), seen('b', { taskId: 't' }, { process: 'gone' })];
    expect(plan({ workers, ready: 3 })).toEqual(plan({ workers, ready: 3 }));
  });
});

describe('shutting down inside a bound', () => {
  const shutdown = { requestedAt: now, deadlineAt: now + 10_000 };
  const at = (ms: number, worker: FleetWorker) => plan({ now: now + ms, shutdown, workers: [worker], ready: 9 });
  const busy = (more: Partial<FleetWorker> = {}, state: 'live' | 'draining' = 'live') =>
    seen('a', { taskId: 't', state }, more);

  it.each<[string, string[], string[]]>([
    ['an idle one is ended immediately', at(0, seen('a')), ['endGroup a']],
    ['a busy one is drained', at(0, busy()), ['drain a']],
    ['a drained one may finish', at(4_000, busy({}, 'draining')), []],
    ['half the window is kept for ending it', at(5_000, busy({}, 'draining')), ['endGroup a']],
    ['being ended', at(6_000, busy({ isEnding: true }, 'draining')), []],
    ['its children are ended', at(0, busy({ process: 'orphaned' })), ['endGroup a']],
    [
      'a launch whose process is not known',
      at(0, seen('a', { state: 'launching', pid: null, launchUntil: now + 60_000 }, { process: 'unknown' })),
      ['endLaunch a'],
    ],
    ['would not die', at(7_000, busy({ wouldNotDie: true }, 'draining')), ['deferReclaim a']],
    ['still there at the deadline: its task stays its own', at(10_000, busy({}, 'draining')), ['deferReclaim a']],
    ['gone: its task goes back', at(6_000, busy({ process: 'gone' }, 'draining')), ['release a']],
  ])('%s', (_name, actual, actions) => {
    expect(actual).toEqual(actions);
  });

  it('incident 29: a window of 10 s hands the task back without penalty, and never while its process runs', () => {
    for (let ms = 0; ms <= 12_000; ms += 500) {
      const running = planTick({ ...facts, now: now + ms, shutdown, workers: [busy({}, 'draining')] });
      expect(running.some(({ type }) => type === 'release')).toBe(false);
      const gone = planTick({ ...facts, now: now + ms, shutdown, workers: [busy({ process: 'gone' }, 'draining')] });
      expect(gone).toEqual([{ type: 'release', workerId: 'a', incarnation: 1, evidence: 'exited', as: 'drained' }]);
    }
  });
});
