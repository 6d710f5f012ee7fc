import { expect, it } from 'vitest';
import { type DreamFacts, whyNoDream } from './dream.ts';

const HOUR = 3_600_000;
const now = 100 * HOUR;
const due: DreamFacts = { now, state: undefined, sessionsSince: 5, memories: 3, digest: 'new' };
const state = (hoursAgo: number, more: object = {}) => ({ lastDreamAt: now - hoursAgo * HOUR, digest: 'old', ...more });

it.each<[string, Partial<DreamFacts>, RegExp | undefined]>([
  ['the first time', {}, undefined],
  ['24 hours and 5 sessions later', { state: state(24) }, undefined],
  ['23 hours later', { state: state(23) }, /23h ago/],
  ['after 4 sessions', { state: state(48), sessionsSince: 4 }, /4 sessions since/],
  ['with two facts', { memories: 2 }, /2 facts are kept/],
  ['when nothing changed', { state: state(48), digest: 'old' }, /not changed/],
  ['right after a failure', { state: state(48, { failedAt: now - HOUR / 2 }) }, /failed 30m ago/],
  ['an hour after a failure', { state: state(48, { failedAt: now - HOUR }) }, undefined],
])('%s', (_name, more, reason) => {
  const why = whyNoDream({ ...due, ...more });
  if (reason) expect(why).toMatch(reason);
  else expect(why).toBeUndefined();
});
