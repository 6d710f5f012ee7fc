import { describe, expect, it } from 'vitest';
import { nextStopStep, type StopExemption, type StopStep, type StopStepFacts, type StopWorker } from './stopStep.ts';

const MINUTE = 60_000;
const now = 100 * MINUTE;

const idle: StopWorker = {
  registeredAt: now - 4 * MINUTE,
  lastClaimedAt: null,
  lastSettledAt: null,
  taskId: null,
  idleLimitMs: 10 * MINUTE,
  state: 'live',
};
const holding: StopWorker = { ...idle, taskId: 't1', epoch: 2, lastClaimedAt: now - MINUTE };
const exempt = (limit: StopExemption['limit'] = null): StopExemption => ({ why: 'the reason', limit });
const limitAt = now + 6 * MINUTE;
const approve = (why: string, more: object = {}) => ({ type: 'approve', why, ...more });

describe('the next step of a worker that wants to stop', () => {
  it.each<[string, Partial<StopStepFacts>, object]>([
    // 1. exempt, or not known
    ['exempt', { pending: 5, exemption: exempt() }, approve('neverBlock', { detail: 'the reason' })],
    ['no worker', { worker: null, pending: 5 }, approve('noWorker')],
    ['no store', { pending: 5, isStoreAvailable: false }, approve('storeUnavailable')],
    // 2. never block
    ['exempt with a task', { worker: holding, exemption: exempt() }, approve('neverBlock')],
    [
      'a rate limit gives the task back and pauses the account',
      { worker: holding, exemption: exempt('rateLimit') },
      approve('neverBlock', { release: 'rate_limited', pausesAccount: true }),
    ],
    ['a rate limit without a task', { exemption: exempt('rateLimit') }, approve('neverBlock', { pausesAccount: true })],
    [
      'a full context gives the task back',
      { worker: holding, exemption: exempt('contextLimit') },
      approve('neverBlock', { release: 'continued' }),
    ],
    // 3. decided by others
    ['superseded', { worker: holding, order: 'superseded' }, approve('superseded')],
    ['cancelled', { worker: holding, order: 'cancel' }, approve('cancelled')],
    ['draining without a task', { worker: { ...idle, state: 'draining' }, pending: 5 }, approve('draining')],
    ['ordered to drain with a task', { worker: holding, order: 'drain' }, approve('draining', { release: 'drained' })],
    ['lost before', { worker: { ...idle, state: 'lost' }, pending: 5 }, approve('ended')],
    // 4. an active attempt
    ['holds a task', { worker: holding, pending: 5 }, { type: 'block', why: 'holdsTask', blocksLeft: 2 }],
    [
      'holds a task, third time',
      { worker: { ...holding, stopBlocks: 2 } },
      { type: 'block', why: 'holdsTask', blocksLeft: 0 },
    ],
    ['holds a task, fourth time', { worker: { ...holding, stopBlocks: 3 } }, { type: 'abandon' }],
    [
      'holds a task whose time is over',
      { worker: holding, held: { title: 'x', deadlineAt: now } },
      approve('deadlineOver'),
    ],
    [
      'holds a task beyond any idle limit',
      { worker: { ...holding, idleLimitMs: 1 } },
      { type: 'block', why: 'holdsTask' },
    ],
    // 5. a task to claim
    ['one is pending', { pending: 1 }, { type: 'claim' }],
    ['not checked yet', { pending: 'unknown' }, { type: 'claim' }],
    ['one is pending at the idle limit', { pending: 1, worker: { ...idle, idleLimitMs: 1 } }, { type: 'claim' }],
    [
      'the host lets nothing more be handed over',
      { pending: 1, worker: { ...idle, stopBlocks: 8 } },
      approve('blockCap'),
    ],
    [
      'the host heeds no more blocks of this prompt',
      { pending: 1, worker: idle, limits: { heldBlocks: 3, hostBlocks: null, spent: true } },
      approve('blockCap'),
    ],
    // 6. wait
    ['nothing to do', {}, { type: 'wait', untilAt: limitAt, because: 'idleLimit' }],
    [
      'a task due before the limit',
      { nextDueAt: now + MINUTE },
      { type: 'wait', untilAt: now + MINUTE, because: 'dueTask' },
    ],
    [
      'a task due after the limit',
      { nextDueAt: limitAt + 1 },
      { type: 'wait', untilAt: limitAt, because: 'idleLimit' },
    ],
    ['a due task that another worker has claimed', { nextDueAt: now - 1 }, { type: 'wait', untilAt: limitAt }],
    ['the answer is due first', { answerBy: now + 1_000 }, { type: 'wait', untilAt: now + 1_000, because: 'answerBy' }],
    [
      'a paused account with tasks waits for its reset',
      { pending: 5, worker: { ...idle, pausedUntil: now + MINUTE } },
      { type: 'wait', untilAt: now + MINUTE, because: 'dueTask' },
    ],
    [
      'a long pause holds no worker beyond the limit',
      { pending: 5, worker: { ...idle, pausedUntil: now + 60 * MINUTE } },
      { type: 'wait', untilAt: limitAt, because: 'idleLimit' },
    ],
    ['persistent', { worker: { ...idle, idleLimitMs: null } }, { type: 'wait', untilAt: Number.POSITIVE_INFINITY }],
    // 7. the limit
    ['idle limit reached', { worker: { ...idle, idleLimitMs: 4 * MINUTE } }, approve('idle')],
    [
      'idle limit reached, task due later',
      { worker: { ...idle, idleLimitMs: 4 * MINUTE }, nextDueAt: now + 1 },
      approve('idle'),
    ],
    [
      'idle limit and answer at the same time',
      { worker: { ...idle, idleLimitMs: 4 * MINUTE }, answerBy: now },
      approve('idle'),
    ],
    // 8. the hook's own time
    ['the answer is due now', { answerBy: now }, { type: 'block', why: 'waitOn', blocksLeft: 2 }],
    ['instructed to wait and did not', { answerBy: now, worker: { ...idle, stopBlocks: 3 } }, approve('blockCap')],
  ])('%s', (_name, facts, step) => {
    expect(nextStopStep({ now, worker: idle, pending: 0, ...facts })).toMatchObject(step);
  });

  it('ends in an answer, however long it waits and whatever is due', () => {
    let at = now;
    let step: StopStep = { type: 'wait', untilAt: now, because: 'dueTask' };
    for (let rounds = 0; step.type === 'wait' && rounds < 100; rounds += 1) {
      at = step.untilAt;
      step = nextStopStep({ now: at, worker: idle, pending: 0, nextDueAt: at + 30_000, answerBy: now + 55 * MINUTE });
    }
    expect(step).toMatchObject(approve('idle'));
    expect(at).toBe(limitAt);
  });

  it('ends exactly when its wait ends, whatever fractions its clock has', () => {
    for (let fraction = 0; fraction < 1; fraction += 0.0137) {
      const worker = { ...idle, registeredAt: 1_700_000_000_000 + fraction, idleLimitMs: 600_000.1 };
      const wait = nextStopStep({ now: worker.registeredAt, worker, pending: 0 });
      const at = wait.type === 'wait' ? wait.untilAt : 0;
      expect(nextStopStep({ now: at, worker, pending: 0 })).toMatchObject(approve('idle'));
    }
  });

  it('incident 27: state restored from last week does not end the worker at its first stop', () => {
    const week = 7 * 24 * 60 * MINUTE;
    const restored = { ...idle, registeredAt: now - week, lastSettledAt: now - week };
    expect(nextStopStep({ now, worker: restored, pending: 0 })).toMatchObject(approve('idle'));
    const awake = { ...restored, awakeSince: now - 1_000 };
    expect(nextStopStep({ now, worker: awake, pending: 0 })).toMatchObject({
      type: 'wait',
      untilAt: now - 1_000 + 10 * MINUTE,
    });
  });

  it('incident 5: a second session in the folder, without an id, is untouched', () => {
    expect(nextStopStep({ now, worker: null, pending: 'unknown', exemption: exempt() })).toMatchObject({
      type: 'approve',
    });
  });
});
