import { describe, expect, it } from 'vitest';
import { decideTimeOver, type TimeOverFacts } from './timeOver.ts';

const facts: TimeOverFacts = { before: '1', after: '1', extendedBefore: false, timeBudgetMs: 1_001 };

describe('a task whose time is over', () => {
  it.each<[string, Partial<TimeOverFacts>, object]>([
    ['nothing changed', {}, { type: 'fail' }],
    ['nothing changed in the time that was added', { extendedBefore: true }, { type: 'fail' }],
    ['the tree changed', { after: '2' }, { type: 'extend', byMs: 501 }],
    ['the tree changed, a second time', { after: '2', extendedBefore: true }, { type: 'release' }],
    ['the tree could not be read', { before: null, after: '2' }, { type: 'fail' }],
    ['the tree cannot be read any more', { after: null }, { type: 'fail' }],
    ['the tree can never be read', { before: null, after: null }, { type: 'fail' }],
  ])('%s', (_name, more, decision) => {
    expect(decideTimeOver({ ...facts, ...more })).toEqual(decision);
  });
});
