import { describe, expect, it } from 'vitest';
import { decideIdleLimit } from './workerKinds.ts';

const MINUTE = 60_000;

describe('the idle limit of a worker', () => {
  it.each<[string, number | null | undefined, number | null]>([
    ['default', undefined, 10 * MINUTE],
    ['critical', undefined, 30 * MINUTE],
    ['temporary', undefined, 5 * MINUTE],
    ['persistent', undefined, null],
    ['critical', 90_000, 90_000],
    ['persistent', 2 * MINUTE, 2 * MINUTE],
    ['default', null, null],
  ])('%s with a timeout of %s: %s', (kind, idleTimeoutMs, idleLimitMs) => {
    expect(decideIdleLimit(kind, idleTimeoutMs)).toMatchObject({ type: 'limit', idleLimitMs });
  });

  it.each([
    ['persistent', true],
    ['default', false],
  ])('%s warns: %s', (kind, warns) => {
    const decision = decideIdleLimit(kind);
    expect(decision.type === 'limit' && decision.warning !== null).toBe(warns);
  });

  it.each(['', 'Default', 'toString', 'constructor'])('knows no kind %o', (kind) => {
    const known = ['default', 'critical', 'temporary', 'persistent'];
    expect(decideIdleLimit(kind)).toEqual({ type: 'unknownKind', known });
  });
});
