import { describe, expect, it } from 'vitest';
import { decideTimeOver, type TimeOverFacts } from './timeOver.ts';

const before = { head: 'a', digest: '1' };
const facts: TimeOverFacts = { before, after: before, isRunning: true, extendedBefore: false, timeBudgetMs: 1_000 };

describe('a task whose time is over', () => {
  it.each<[string, Partial<TimeOverFacts>, object]>([
    ['nothing changed', {}, { type: 'fail', reason: 'timed_out' }],
    ['a commit was made', { after: { head: 'b', digest: '1' } }, { type: 'extend', byMs: 500 }],
    ['files changed', { after: { head: 'a', digest: '2' } }, { type: 'extend', byMs: 500 }],
    ['files changed, a second time', { after: { head: 'a', digest: '2' }, extendedBefore: true }, { type: 'release' }],
    [
      'files changed, its process has ended',
      { after: { head: 'a', digest: '2' }, isRunning: false },
      { type: 'release' },
    ],
    ['no repository', { before: { head: null, digest: null }, after: { head: null, digest: null } }, { type: 'fail' }],
    ['the tree cannot be read any more', { after: { head: null, digest: null } }, { type: 'fail' }],
  ])('%s', (_name, more, decision) => {
    expect(decideTimeOver({ ...facts, ...more })).toMatchObject(decision);
  });
});
