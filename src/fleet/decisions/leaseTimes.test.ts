import { describe, expect, it } from 'vitest';
import { DEFAULT_LEASE, LEAST_LEASE_MS, leaseFrom, leaseTimes } from './leaseTimes.ts';

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

  it.each([
    [{}, 180_000],
    [{ STOPGATE_LEASE: '' }, 180_000],
    [{ STOPGATE_LEASE: '12s' }, 12_000],
    [{ STOPGATE_LEASE: '10m' }, 600_000],
  ])('are read from %j', (env, leaseMs) => {
    expect(leaseFrom(env)).toMatchObject({ leaseMs });
  });

  it.each(['9s', 'soon', '-3m', '0'])('are refused with a sentence: %s', (text) => {
    expect(leaseFrom({ STOPGATE_LEASE: text })).toBe(
      `STOPGATE_LEASE must be a duration of at least 10s, such as 3m, got "${text}"; set the same on every machine of the store.`,
    );
  });
});
