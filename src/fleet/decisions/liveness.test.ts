import { describe, expect, it } from 'vitest';
import { decideLiveness, type LivenessFacts, type WatchedWorker } from './liveness.ts';
import { observerAwakeSince } from './observer.ts';

const MINUTE = 60_000;
const now = 10_000 * MINUTE;

const busy: WatchedWorker = {
  state: 'live',
  host: 'here',
  launchUntil: null,
  heartbeatAt: now - 15_000,
  activityAt: now - MINUTE,
  toolStartedAt: null,
  lastClaimedAt: now - 60 * MINUTE,
  sessionId: 's',
  suspectAt: null,
  taskId: 't1',
  pausedUntil: null,
};
const silent = { heartbeatAt: now - 3 * MINUTE };
const suspected = { ...silent, suspectAt: now - MINUTE };
const facts: LivenessFacts = { now, worker: busy, host: 'here', process: 'running', awakeSince: now - 60 * MINUTE };
const far = { host: 'there' };

type Case = [string, Partial<WatchedWorker>, Partial<LivenessFacts>, object];

describe('is this worker alive', () => {
  it.each<Case>([
    ['beats', {}, {}, { type: 'alive' }],
    ['beats exactly at the window', { heartbeatAt: now - 2 * MINUTE }, {}, { type: 'alive' }],
    ['its process is gone', {}, { process: 'gone' }, { type: 'ended' }],
    ['its process is gone, on a host that just woke', {}, { process: 'gone', awakeSince: now }, { type: 'ended' }],
    ['a pid of another host means nothing', far, { process: 'gone' }, { type: 'alive' }],
    ['stopped before', { state: 'stopped' }, { process: 'gone' }, { type: 'over' }],
    ['lost before', { state: 'lost', ...silent }, {}, { type: 'over' }],
    // two passes
    ['silent', silent, {}, { type: 'suspect', dueAt: now + MINUTE }],
    ['silent, suspected just now', { ...silent, suspectAt: now - 59_000 }, {}, { type: 'suspect', dueAt: now + 1_000 }],
    ['silent and suspected here, process running', suspected, {}, { type: 'mustEnd', why: 'silent' }],
    ['silent and suspected on another host', { ...suspected, ...far }, { process: 'unknown' }, { type: 'lost' }],
    ['heard of again', { suspectAt: now - 5 * MINUTE }, {}, { type: 'alive' }],
    ['will not die', suspected, { wouldNotDie: true }, { type: 'reclaimDeferred' }],
    ['died after all', suspected, { wouldNotDie: true, process: 'gone' }, { type: 'ended' }],
    // what it started lives on
    ['gone, its children are not', {}, { process: 'orphaned' }, { type: 'mustEnd', why: 'orphaned' }],
    ['its children will not die', {}, { process: 'orphaned', wouldNotDie: true }, { type: 'reclaimDeferred' }],
    [
      'stopped, its process stays',
      { state: 'stopped' },
      { overSince: now - 31_000 },
      { type: 'mustEnd', why: 'outlived' },
    ],
    ['stopped, its process is about to go', { state: 'stopped' }, { overSince: now - 29_000 }, { type: 'over' }],
    ['lost elsewhere', { state: 'lost', ...far }, { overSince: 0, process: 'unknown' }, { type: 'over' }],
    // idle for longer than it may be
    ['idle', { taskId: null, idleSince: now - 14 * MINUTE, idleLimitMs: 10 * MINUTE }, {}, { type: 'alive' }],
    [
      'idle long after it should have stopped',
      { taskId: null, idleSince: now - 16 * MINUTE, idleLimitMs: 10 * MINUTE },
      {},
      { type: 'mustEnd', why: 'overstayed' },
    ],
    ['idle forever, as it may', { taskId: null, idleSince: 0, idleLimitMs: null }, {}, { type: 'alive' }],
    [
      'idle across a pause of its account',
      { taskId: null, idleSince: 0, idleLimitMs: 10 * MINUTE, pausedUntil: now - MINUTE },
      {},
      { type: 'alive' },
    ],
    // launching
    [
      'launching',
      { state: 'launching', launchUntil: now + 1, heartbeatAt: 0 },
      { process: 'unknown' },
      { type: 'launching' },
    ],
    [
      'waiting for the store before it registers',
      { state: 'launching', launchUntil: now - 9 * MINUTE, heartbeatAt: 0 },
      {},
      { type: 'launching', untilAt: now + MINUTE },
    ],
    [
      'launching for too long',
      { state: 'launching', launchUntil: now - 10 * MINUTE - 1, heartbeatAt: 0 },
      {},
      { type: 'launchFailed' },
    ],
    [
      'launching for too long, and its process is not known',
      { state: 'launching', launchUntil: now - 1, heartbeatAt: 0 },
      { process: 'unknown' },
      { type: 'launchFailed' },
    ],
    [
      'launching, process gone',
      { state: 'launching', launchUntil: now + 1 },
      { process: 'gone' },
      { type: 'launchFailed' },
    ],
    [
      'launching across a sleep',
      { state: 'launching', launchUntil: now - 1 },
      { process: 'unknown', awakeSince: now - 1 },
      { type: 'suspended', untilAt: now - 1 + 2 * MINUTE },
    ],
    // rate limits
    ['paused', { pausedUntil: now + 1, activityAt: now - 60 * MINUTE }, {}, { type: 'paused', untilAt: now + 1 }],
    ['paused and silent', { ...suspected, pausedUntil: now + 1 }, {}, { type: 'paused' }],
    ['resumed and still silent', { ...silent, pausedUntil: now - 3 * MINUTE }, {}, { type: 'suspect' }],
    ['just resumed', { pausedUntil: now - 1, activityAt: now - 60 * MINUTE }, {}, { type: 'alive' }],
    ['paused and dead', { pausedUntil: now + 1 }, { process: 'gone' }, { type: 'ended' }],
    // the second clock
    ['quiet for 14 min', { activityAt: now - 14 * MINUTE }, {}, { type: 'alive' }],
    ['quiet for 15 min', { activityAt: now - 15 * MINUTE }, {}, { type: 'stalled', stage: 'warn' }],
    ['quiet for 30 min, which its supervisor ends', { activityAt: now - 30 * MINUTE }, {}, { stage: 'warn' }],
    [
      'quiet for 35 min',
      { activityAt: now - 35 * MINUTE },
      {},
      { type: 'stalled', stage: 'stop', silentMs: 35 * MINUTE },
    ],
    [
      'idle for an hour, at work for a minute',
      { activityAt: now - 60 * MINUTE, lastClaimedAt: now - MINUTE },
      {},
      { type: 'alive' },
    ],
    ['quiet, and no hook has reported', { activityAt: 0, sessionId: null }, {}, { type: 'alive' }],
    ['quiet, and no hook would report', { activityAt: 0, activityFrom: 'nothing' }, {}, { type: 'alive' }],
    ['quiet without a task', { activityAt: now - 300 * MINUTE, taskId: null }, {}, { type: 'alive' }],
    ['a tool of 25 min', { activityAt: now - 25 * MINUTE, toolStartedAt: now - 25 * MINUTE }, {}, { type: 'alive' }],
    ['a tool of 59 min', { activityAt: 0, toolStartedAt: now - 59 * MINUTE }, {}, { stage: 'warn' }],
    [
      'a tool of 65 min',
      { activityAt: 0, toolStartedAt: now - 65 * MINUTE, lastClaimedAt: 0 },
      { awakeSince: 0 },
      { type: 'stalled', stage: 'stop' },
    ],
    // heartbeats that only hooks send
    ['silent without a timer, process running', { ...suspected, beatsFrom: 'hooks' }, {}, { type: 'alive' }],
    [
      'silent without a timer, elsewhere',
      { ...suspected, ...far, beatsFrom: 'hooks' },
      { process: 'unknown' },
      { type: 'lost' },
    ],
    // its task has moved on
    ['its task was taken just now', {}, { taskEndedAt: now - 1 }, { type: 'alive' }],
  ])('%s', (_name, worker, more, verdict) => {
    expect(decideLiveness({ ...facts, ...more, worker: { ...busy, ...worker } })).toMatchObject(verdict);
  });

  it('incident 25: a silent build of 20 min under a heartbeat window of 2 min lives', () => {
    for (let minute = 0; minute <= 20; minute += 1) {
      const at = now + minute * MINUTE;
      const building = { ...busy, activityAt: now, toolStartedAt: now, heartbeatAt: at - 15_000 };
      expect(decideLiveness({ ...facts, now: at, worker: building })).toEqual({ type: 'alive' });
    }
  });

  it('incident 26: a process that beats on after its task has ended is found', () => {
    const taskEndedAt = now - 3 * MINUTE;
    expect(decideLiveness({ ...facts, taskEndedAt })).toEqual({ type: 'mustEnd', why: 'outlived' });
  });
});

describe('a clock that jumps', () => {
  it.each([
    ['its start', null, null, now],
    ['a late look', now - 25_000, 5, 5],
    ['eight hours of sleep', now - 480 * MINUTE, 5, now],
    ['an hour back', now + 60 * MINUTE, 5, now],
    ['a second back', now + 1_000, 5, 5],
  ])('%s', (_name, lastCheckAt, awakeSince, expected) => {
    expect(observerAwakeSince({ now, lastCheckAt, everyMs: 5_000, awakeSince })).toBe(expected);
  });

  it('causes no mass reclaim: each worker has a whole window to report, and then two passes', () => {
    const asleep = { ...busy, heartbeatAt: now - 480 * MINUTE, suspectAt: now - 479 * MINUTE };
    const see = (at: number, worker = asleep) => decideLiveness({ ...facts, now: at, worker, awakeSince: now }).type;
    expect(see(now)).toBe('suspended');
    expect(see(now + 2 * MINUTE - 1)).toBe('suspended');
    expect(see(now + 2 * MINUTE, { ...asleep, heartbeatAt: now + MINUTE })).toBe('alive');
    expect(see(now + 2 * MINUTE)).toBe('mustEnd');
    expect(see(now + 2 * MINUTE, { ...asleep, suspectAt: now + 2 * MINUTE - 1 })).toBe('suspect');
  });

  it('incident 27: a coordinator started on the state of last week gives nothing away at its first look', () => {
    const old = { ...busy, heartbeatAt: now - 7 * 1440 * MINUTE, host: 'there' };
    const awakeSince = observerAwakeSince({ now, lastCheckAt: null, everyMs: 5_000, awakeSince: null });
    expect(decideLiveness({ ...facts, worker: old, process: 'unknown', awakeSince }).type).toBe('suspended');
  });
});
