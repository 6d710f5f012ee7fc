import { describe, expect, it } from 'vitest';
import { SpendLedger } from '../../models/ledger.ts';
import type { Usage } from '../../models/types.ts';
import type { BackgroundRun } from '../../schemas/backgroundRuns.ts';
import { AppendOnlyList } from '../../system/appendOnly.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { type ScriptedReply, scriptedReplies } from '../../testing/scriptedReplies.ts';
import { type BackgroundTask, createGovernor, type GovernorFacts } from './governor.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { decideSwitches } from './switches.ts';

function setUp(more: Partial<GovernorFacts> = {}) {
  const clock = fakeClock(1_000);
  const logged: BackgroundRun[] = [];
  const ledger = more.ledger ?? new SpendLedger();
  const governor = createGovernor({
    clock,
    random: () => 0,
    ledger,
    costOf: (_model: string, usage: Usage) => ({ type: 'usd', usd: usage.outputTokens / 1000 }),
    maxRetries: 10,
    limits: DEFAULT_LIMITS,
    switches: decideSwitches({ env: {}, memorySetting: true, interactive: true, bare: false }),
    log: { append: (run) => void logged.push(run) },
    logEvent: () => {},
    project: '/project',
    sessionId: 'session',
    signal: new AbortController().signal,
    ...more,
  });
  return { governor, clock, logged, ledger };
}

const question = {
  system: ['s'],
  tools: [],
  messages: AppendOnlyList.of([{ role: 'user', content: 'hello' } as const]),
  maxOutputTokens: 10,
};

function asking(replies: readonly ScriptedReply[], clock: ReturnType<typeof fakeClock>): BackgroundTask {
  const model = scriptedReplies(replies, { clock });
  return {
    kind: 'memory_extraction',
    run: async ({ asker }) => {
      const reply = await asker.ask(model, question);
      return reply.type === 'ok' ? { type: 'ran', reason: reply.text } : { type: 'failed', reason: reply.reason };
    },
  };
}

/** A task that runs until the test ends it, or until it is aborted. */
function held(name: string) {
  const started: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const task: BackgroundTask = {
    kind: 'memory_extraction',
    run: async ({ signal }) => {
      started.push(name);
      const aborted = new Promise<void>((done) => {
        signal.addEventListener('abort', () => done(), { once: true });
        if (signal.aborted) done();
      });
      await Promise.race([promise, aborted]);
      return signal.aborted ? { type: 'failed', reason: 'interrupted' } : { type: 'ran', reason: name };
    },
  };
  return { task, end: resolve, started };
}

describe('createGovernor', () => {
  it('records what a task did, what it took, and whose money it was', async () => {
    const { governor, clock, logged, ledger } = setUp();
    const run = await governor.submit(asking([{ text: 'learned', usage: { in: 90, out: 10 } }], clock));
    expect(run).toMatchObject({ outcome: 'ran', reason: 'learned', requests: 1, tokens: 100, costUsd: 0.01 });
    expect(logged).toEqual([run]);
    expect(governor.records()).toEqual([run]);
    expect(ledger.total.requests).toBe(1);
  });

  it('runs one task of a kind at a time and keeps only the newest that waits', async () => {
    const { governor } = setUp();
    const [first, second, third] = [held('first'), held('second'), held('third')];
    const runs = [first, second, third].map(({ task }) => governor.submit(task));
    first.end();
    third.end();
    const [a, b, c] = await Promise.all(runs);
    expect(a).toMatchObject({ outcome: 'ran', reason: 'first' });
    expect(b).toMatchObject({ outcome: 'superseded' });
    expect(c).toMatchObject({ outcome: 'ran', reason: 'third' });
    expect(second.started).toEqual([]);
  });

  it('records once why a task is off, and makes no request', async () => {
    const switches = decideSwitches({ env: { STOPGATE_DISABLE_MEMORY: '1' }, interactive: true, bare: false });
    const { governor, clock, logged } = setUp({ switches });
    const model = scriptedReplies([{ text: 'x' }], { clock });
    const task: BackgroundTask = { kind: 'memory_extraction', run: () => Promise.reject(new Error('ran')) };
    expect(await governor.submit(task)).toMatchObject({ outcome: 'skipped', reason: /STOPGATE_DISABLE_MEMORY/ });
    await governor.submit(task);
    expect(logged).toHaveLength(1);
    expect(model.requests).toHaveLength(0);
  });

  it('a rate limit in a helper is one more try and then a record, nothing else', async () => {
    const { governor, clock } = setUp();
    const error = { status: 429, type: 'rate_limit_error', message: 'slow down' };
    const running = governor.submit(asking([{ error }, { error }, { text: 'never asked' }], clock));
    await clock.advance(60_000);
    const run = await running;
    expect(run.outcome).toBe('failed');
    expect(run.reason).toMatch(/slow down.*gave up after 1 retry/);
    expect(run.tokens).toBe(0);
  });

  it('a task that throws is its own failure', async () => {
    const { governor } = setUp();
    const run = await governor.submit({ kind: 'auto_dream', run: () => Promise.reject(new Error('a bug')) });
    expect(run).toMatchObject({ outcome: 'failed', reason: 'it broke: a bug' });
  });

  it('ends a task that takes too long', async () => {
    const { governor, clock } = setUp();
    const running = governor.submit(held('slow').task);
    await clock.advance(DEFAULT_LIMITS.timeoutMs);
    expect(await running).toMatchObject({ outcome: 'failed', reason: 'it took longer than 1m' });
    expect(clock.pending()).toBe(0);
  });

  it('makes no request that its share does not allow', async () => {
    const { governor, clock, ledger } = setUp({ limits: { ...DEFAULT_LIMITS, maxUsd: 0.001 } });
    const run = await governor.submit(asking([{ text: 'x' }], clock));
    expect(run).toMatchObject({ outcome: 'failed', requests: 0 });
    expect(run.reason).toMatch(/STOPGATE_BACKGROUND_MAX_USD/);
    expect(ledger.total.requests).toBe(0);
  });

  it('spends nothing beyond what is left of the session budget', async () => {
    const { governor, clock, ledger } = setUp({ maxBudgetUsd: 1 });
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
    ledger.record({ source: 'turn', model: 'm', usage, cost: { type: 'usd', usd: 1 }, durationMs: 1 });
    expect(await governor.submit(asking([{ text: 'x' }], clock))).toMatchObject({ requests: 0, outcome: 'failed' });
  });

  describe('drain', () => {
    it('waits for what runs and for what waits', async () => {
      const { governor, clock } = setUp();
      const [first, second] = [held('first'), held('second')];
      void governor.submit(first.task);
      void governor.submit(second.task);
      const drained = governor.drain(20_000);
      first.end();
      second.end();
      await drained;
      expect(governor.records().map(({ reason }) => reason)).toEqual(['first', 'second']);
      expect(clock.pending()).toBe(0);
    });

    it('ends a task that takes longer, with a reason', async () => {
      const { governor, clock } = setUp();
      const [first, second] = [held('first'), held('second')];
      void governor.submit(first.task);
      void governor.submit(second.task);
      const drained = governor.drain(20_000);
      await clock.advance(20_000);
      await drained;
      expect(governor.records()).toMatchObject([{ outcome: 'cancelled', reason: 'the process was about to exit' }]);
      expect(second.started).toEqual([]);
      expect(clock.pending()).toBe(0);
    });

    it('waits for nothing once the session was interrupted, and starts nothing', async () => {
      const interrupt = new AbortController();
      const { governor } = setUp({ signal: interrupt.signal });
      const running = governor.submit(held('first').task);
      interrupt.abort();
      await governor.drain(20_000);
      expect(await running).toMatchObject({ outcome: 'cancelled', reason: 'the session was interrupted' });
      expect(await governor.submit(held('late').task)).toMatchObject({ outcome: 'skipped' });
    });
  });
});
