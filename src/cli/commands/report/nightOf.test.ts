import { describe, expect, it } from 'vitest';
import type { LedgerEntry } from '../../../schemas/ledger.ts';
import { type NightFacts, nightOf } from './nightOf.ts';
import { nightMarkdown } from './nightText.ts';

const about = (at: string) => ({
  ...{ at: `2026-11-01T0${at}:00:00.000Z`, session: 's', folder: '/p', agent: 'claudeCode' },
  ...{ hostPid: 7, launch: null, worker: null },
});
const check = (outcome: string) => ({ name: 'tests', outcome });
const stop = (type: string, why?: string, outcome = 'failed') =>
  ({
    ...{ ...about('1'), type: 'stop', durationMs: 1 },
    ending: { type, reason: `${type} (tests)`, checks: [check(outcome)], ...(why && { why }) },
  }) as LedgerEntry;
const end = (ending: string, reason = '') =>
  ({ ...about('2'), type: 'end', scope: 'launch', ending, reason, durationMs: 1, spend: null }) as LedgerEntry;
const waiver = (name: string): LedgerEntry => ({
  ...{ ...about('3'), type: 'waiver', check: name, reason: 'known', by: 'me' },
});
const night = (sessions: readonly (readonly LedgerEntry[])[], more: Partial<NightFacts> = {}) =>
  nightOf({
    ...{ since: '2026-11-01T00:00:00.000Z', until: '2026-11-01T09:00:00.000Z', sessions, tasks: null },
    ...{ isRunning: () => false, ...more },
  });

describe('what waits for a person', () => {
  it.each<[string, readonly LedgerEntry[], boolean]>([
    ['passed', [stop('passed')], false],
    ['advised', [stop('advised')], false],
    ['waived', [stop('waived')], false],
    ['accepted by a baseline', [stop('accepted')], false],
    ['stalled', [stop('stalled')], true],
    ['capped', [stop('capped')], true],
    ['blocked', [stop('blocked')], true],
    ['stalled, and waived later', [stop('stalled'), waiver('tests')], false],
    ['stalled, and something else waived', [stop('stalled'), waiver('lint')], true],
    ['waived, and blocked again', [waiver('tests'), { ...stop('blocked'), at: '2026-11-01T04:00:00.000Z' }], true],
    ['interrupted at the terminal', [stop('blocked'), end('stopped', 'SIGINT was received')], false],
    ['interrupted while the model answered', [end('aborted_streaming', 'It was interrupted.')], false],
    ['ended by a permission hook', [end('aborted_tools', 'a permission hook ended it')], true],
    ['stopped by a limit', [end('stopped', 'it spent $2.00 of $2.00')], true],
    ['out of time', [end('expired', 'its time was over')], true],
    ['nothing changed', [stop('skipped', 'nothingChanged')], false],
    ['not trusted', [stop('skipped', 'notTrusted')], true],
  ])('%s', (_name, entries, waits) => {
    expect(night([entries]).waiting).toHaveLength(waits ? 1 : 0);
  });

  it('is not a session that was sent back and still works', () => {
    expect(night([[stop('blocked')]], { isRunning: () => true }).waiting).toEqual([]);
  });

  it('is not what a verifier or the gate of a plain command refused: its task is queued again, or dead and named', () => {
    const refused = { ...stop('blocked'), agent: 'verifier', session: 'verify-t1-1' } as LedgerEntry;
    const command = { ...refused, agent: 'stopgate', session: 'task-t1-1' };
    expect(night([[refused], [command]]).waiting).toEqual([]);
  });

  it('is finished work without a review', () => {
    expect(nightMarkdown(night([], { reviews: 2 }))).toContain(
      '- 2 finished attempts wait for review: stopgate review',
    );
    expect(nightMarkdown(night([[stop('stalled')]], { reviews: 1 }))).toContain('### Waits for a person: 2');
    expect(nightMarkdown(night([[stop('stalled')]], { reviews: 1 }))).toContain(
      '- 1 finished attempt waits for review',
    );
  });

  it('is accepted work that no process lands', () => {
    const text = nightMarkdown(night([], { unlanded: 2 }));
    expect(text).toContain('### Waits for a person: 2');
    expect(text).toContain('2 accepted attempts are not landed, and no process lands them now: stopgate review land');
  });

  it('is shown when nothing ran, too', () => {
    const tasks = [{ id: 't1', title: 'port it', status: 'held', reason: 'needs a key' }];
    expect(nightMarkdown(night([], { tasks }))).toContain('- task t1 (port it) is held: needs a key');
  });
});

it('names what to do about a task, with the first line of its reason', () => {
  const tasks = [
    { id: 'k3v9', title: 'break', status: 'dead', reason: 'Not done yet: 1 of 1 check failed.\n\ntests exited 1' },
    { id: 'x7qn', title: 'wait', status: 'held', reason: null },
  ];
  const text = nightMarkdown(night([[stop('passed')]], { tasks }));
  expect(text).toContain(
    '- task k3v9 (break) is dead: Not done yet: 1 of 1 check failed. \\`stopgate task show k3v9\\` has the details, \\`stopgate task retry k3v9\\` queues it again.',
  );
  expect(text).toContain('- task x7qn (wait) is held. \\`stopgate task unhold x7qn\\` releases it.');
});

it('the counts add up', () => {
  const types = ['passed', 'passed', 'stalled', 'outOfTime', 'notAsked', 'waived', 'accepted'];
  const sessions = types.map((type, at) => [{ ...stop(type), session: `s${at}` } as LedgerEntry]);
  const found = night(sessions);
  const sum = (counts: readonly { readonly count: number }[]) => counts.reduce((all, { count }) => all + count, 0);
  expect(sum(found.endings)).toBe(types.length);
  expect(sum(found.failures)).toBe(found.waiting.length);
  expect(nightMarkdown(found)).toContain('### Sessions: 7 (2 passed, 2 no verdict, 1 stalled, 1 waived, 1 accepted)');
  expect(nightMarkdown(found)).toContain('### Waits for a person: 3');
});
