import { describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../store/sqlite/openFile.ts';
import { available } from '../../store/unavailable.ts';
import { fakeClock } from '../../testing/fakeClock.ts';
import { pauseAccount } from './pauseAccount.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 15, 15, 0);

describe('a provider that names a time of day', () => {
  it.each([
    ['this machine is two hours ahead', { here: 120, store: 0 }],
    ['this machine is two hours behind', { here: -120, store: 0 }],
    ['the store is two hours ahead', { here: 0, store: 120 }],
    ['the store is two hours behind', { here: 0, store: -120 }],
  ])('pauses the account for the minutes until then when %s', async (_name, { here, store: there }) => {
    const store = openSqliteStore({ path: ':memory:', clock: fakeClock(NOW + there * MINUTE) });
    if ('type' in store) throw new Error(store.reason);
    await using _closing = store;
    const refusal = { error: 'rate_limit', text: 'resets 3:10pm (UTC)', now: NOW + here * MINUTE };
    await pauseAccount({ store, workerId: 'w', account: 'a', lease: null, ...refusal });
    const { accounts, now } = available(await store.accounts());
    const ms = (accounts[0]?.pausedUntil ?? 0) - now;
    expect(ms).toBeGreaterThanOrEqual(10 * MINUTE);
    // with some spread
    expect(ms).toBeLessThanOrEqual(13 * MINUTE);
  });
});
