import { describe, expect, it } from 'vitest';
import { fleetRequest } from './fleetRequest.ts';

const options = { workers: '4', min: '0', agent: 'claude', type: 'default' };

describe('fleetRequest', () => {
  it('has the limits of its kind by default', () => {
    expect(fleetRequest([], options).settings).toMatchObject({
      most: 4,
      least: 0,
      idleLimitMs: 600_000,
      drainTimeoutMs: 600_000,
      accountKey: 'claude',
      types: null,
      reportsActivity: true,
    });
    const custom = { ...options, type: 'critical', idleTimeout: 'never', types: 'a, b', agent: 'codex exec' };
    expect(fleetRequest([], custom).settings).toMatchObject({
      idleLimitMs: null,
      types: ['a', 'b'],
      accountKey: 'codex',
      reportsActivity: false,
    });
    expect(fleetRequest([], custom).warnings).toHaveLength(1);
  });

  it('passes its options to each worker', () => {
    const given = { ...options, queue: 'q', types: 'a', idleTimeout: '5m', worktrees: true, removeWorktrees: true };
    expect(fleetRequest(['--model', 'opus'], { ...given, drainTimeout: '10s' }).workerArgs.join(' ')).toBe(
      '--agent claude --type default --account claude --idle-timeout 5m --queue q --types a --drain-timeout 10s --worktrees --remove-worktrees -- --model opus',
    );
  });
});
