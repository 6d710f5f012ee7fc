import { describe, expect, it } from 'vitest';
import { DEFAULT_LEASE, formatLease, LEAST_LEASE_MS, leaseOfStore, leaseTimes, readLease } from './leaseTimes.ts';

describe('the times of a lease', () => {
  it('are those of three minutes by default', () => {
    expect(DEFAULT_LEASE).toEqual({
      leaseMs: 180_000,
      heartbeatMs: 120_000,
      graceMs: 60_000,
      beatMs: 15_000,
      fenceAfterMs: 150_000,
      leadMs: 30_000,
    });
  });

  it.each([LEAST_LEASE_MS, 12_000, 60_000, 180_000, 3_600_000])('leave time for an end within %i ms', (leaseMs) => {
    const times = leaseTimes(leaseMs);
    expect(times.heartbeatMs + times.graceMs).toBeCloseTo(leaseMs);
    // an agent gets 3s after SIGINT, and is then killed
    expect(leaseMs - times.fenceAfterMs).toBeGreaterThanOrEqual(5_000);
    expect(times.fenceAfterMs).toBeGreaterThan(3 * times.beatMs);
    expect(times.beatMs).toBeLessThanOrEqual(15_000);
  });

  const THREE = 180_000;
  it.each([
    ['the default', {}, null, THREE],
    ['the default', { STOPGATE_LEASE: '' }, null, THREE],
    ['its own', { STOPGATE_LEASE: '12s' }, null, 12_000],
    ['its own', { STOPGATE_LEASE: '10m' }, null, 600_000],
    ["the store's", {}, 600_000, 600_000],
    ["the store's", { STOPGATE_LEASE: '10m' }, 600_000, 600_000],
    ["the store's", { STOPGATE_LEASE: '600s' }, 600_000, 600_000],
  ] as const)('are %s: %j in a store with %j', (_whose, env, recordedMs, leaseMs) => {
    expect(leaseOfStore(env, recordedMs)).toMatchObject({ leaseMs });
  });

  it('are refused where the store has others, with both values and what to do', () => {
    const sentence =
      'The lease here is 10m, but that of the store is 3m: unset STOPGATE_LEASE and start again, or end all workers and coordinators of the store and run `stopgate store lease 10m`.';
    expect(leaseOfStore({ STOPGATE_LEASE: '10m' }, THREE)).toBe(sentence);
  });

  it.each(['9s', 'soon', '-3m', '0'])('are refused with a sentence: %s', (text) => {
    const sentence = `STOPGATE_LEASE must be a duration of at least 10s, such as 3m, got "${text}".`;
    expect(leaseOfStore({ STOPGATE_LEASE: text }, null)).toBe(sentence);
    expect(leaseOfStore({ STOPGATE_LEASE: text }, THREE)).toBe(sentence);
  });

  it.each([10_000, 90_000, THREE, 3_661_000, 90_061_000, 200_000_000])('are shown as they are read: %i', (ms) => {
    expect(readLease('It', formatLease(ms))).toBe(ms);
  });
});
