import { describe, expect, it } from 'vitest';
import { AppendOnlyList } from '../system/appendOnly.ts';
import { SpendLedger } from './ledger.ts';
import { decideReservation, type ReservationFacts, reserve } from './reservation.ts';
import { NO_USAGE, type Usage } from './types.ts';

const PRICE = 0.001;
const facts: ReservationFacts = {
  ...{ maxUsd: 10, spentUsd: 0, reservedUsd: 0, inputUsd: 1, outputUsdPerToken: PRICE, maxOutputTokens: 4000 },
};

describe('a reservation', () => {
  it.each<[string, Partial<ReservationFacts>, object]>([
    ['fits as a whole', {}, { type: 'reserve', usd: 5, outputTokens: 4000 }],
    ['shortens the answer to what is left', { spentUsd: 8 }, { type: 'reserve', usd: 2, outputTokens: 1000 }],
    ['is refused when not even a short answer fits', { spentUsd: 8.9 }, { type: 'refuse', leastUsd: 1.256 }],
    ['waits for requests under way', { spentUsd: 2, reservedUsd: 7.5 }, { type: 'wait' }],
    ['does not wait in vain', { spentUsd: 9.5, reservedUsd: 0.2 }, { type: 'refuse', leastUsd: 1.256 }],
    [
      'is free for a free model',
      { inputUsd: 0, outputUsdPerToken: 0 },
      { type: 'reserve', usd: 0, outputTokens: 4000 },
    ],
    [
      'of a model with short answers',
      { spentUsd: 8.9, maxOutputTokens: 50 },
      { type: 'reserve', usd: 1.05, outputTokens: 50 },
    ],
  ])('%s', (_name, more, expected) => {
    const decision = decideReservation({ ...facts, ...more });
    if ('usd' in decision && 'usd' in expected) expect(decision.usd).toBeCloseTo(Number(expected.usd));
    expect(decision).toMatchObject({ ...expected, ...('usd' in decision && { usd: decision.usd }) });
  });

  const model = { id: 'm', maxOutputTokens: 4000 };
  const request = { system: [], messages: AppendOnlyList.of<never>(), tools: [], signal: new AbortController().signal };
  const costOf = (_id: string, usage: Usage) => ({ type: 'usd', usd: usage.outputTokens * PRICE }) as const;

  it('of a second request waits until the first has ended, and gets what it left', async () => {
    const ledger = new SpendLedger();
    const first = await reserve(model, request, { ledger, costOf, maxUsd: 3 });
    expect([first.type, ledger.reservedUsd]).toEqual(['reserved', 3]);
    let isDone = false;
    const second = reserve(model, request, { ledger, costOf, maxUsd: 3 }).then((held) => {
      isDone = true;
      return held;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(false);
    const usage = { ...NO_USAGE, outputTokens: 1000 };
    ledger.record({ source: 'turn', model: 'm', usage, cost: { type: 'usd', usd: 1 }, durationMs: 1 });
    if (first.type === 'reserved') first[Symbol.dispose]();
    expect(await second).toMatchObject({ type: 'reserved', maxOutputTokens: 2000 });
    expect(ledger.reservedUsd).toBeCloseTo(2);
  });

  it('ends with its turn when that is interrupted while it waits', async () => {
    const ledger = new SpendLedger();
    await reserve(model, request, { ledger, costOf, maxUsd: 3 });
    const abort = new AbortController();
    const waiting = reserve(model, { ...request, signal: abort.signal }, { ledger, costOf, maxUsd: 3 });
    abort.abort();
    expect((await waiting).type).toBe('reserved');
    expect(ledger.reservedUsd).toBeCloseTo(3);
  });

  it('is nothing without a limit or without a price', async () => {
    const ledger = new SpendLedger();
    await reserve(model, request, { ledger, costOf, maxUsd: undefined });
    await reserve(model, request, { ledger, costOf: () => ({ type: 'unknown' }), maxUsd: 1 });
    expect(ledger.reservedUsd).toBe(0);
  });
});
