import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { fleetName, fleetRequest } from './fleetRequest.ts';

const options = { workers: '4', min: '0', agent: 'claude', type: 'default' };

describe('what a fleet is asked for', () => {
  it('has the limits of its kind, unless told', () => {
    expect(fleetRequest([], options).settings).toMatchObject({
      most: 4,
      least: 0,
      idleLimitMs: 600_000,
      drainTimeoutMs: 600_000,
      accountKey: 'claude',
      types: null,
      reportsActivity: true,
    });
    const told = { ...options, type: 'critical', idleTimeout: 'never', types: 'a, b', agent: 'codex exec' };
    expect(fleetRequest([], told).settings).toMatchObject({
      idleLimitMs: null,
      types: ['a', 'b'],
      accountKey: 'codex',
      reportsActivity: false,
    });
    expect(fleetRequest([], told).warnings).toHaveLength(1);
  });

  it('gives each worker what it was given itself', () => {
    const told = { ...options, queue: 'q', types: 'a', idleTimeout: '5m', worktrees: true, removeWorktrees: true };
    const wish = { ...told, drainTimeout: '10s' };
    expect(fleetRequest(['--model', 'opus'], wish).workerArgs.join(' ')).toBe(
      '--agent claude --type default --account claude --idle-timeout 5m --queue q --types a --drain-timeout 10s --worktrees --remove-worktrees -- --model opus',
    );
  });

  it('is one for each host and queue, unless it is named', () => {
    const host = hostname().split('.')[0];
    expect(fleetName({})).toBe(host);
    expect(fleetName({ queue: 'default' })).toBe(host);
    expect(fleetName({ queue: 'to review' })).toBe(`${host}-to-review`);
    expect(fleetName({ name: 'nightly', queue: 'q' })).toBe('nightly');
  });
});
