import { describe, expect, it } from 'vitest';
import type { EntryOf, LedgerEntry } from '../../../schemas/ledger.ts';
import { pageFor } from '../../output/page.ts';
import { nightOf } from '../report/nightOf.ts';
import { nightMarkdown, nightText } from '../report/nightText.ts';
import { adviceFor, storyOf, storyText } from './story.ts';

const at = (minute: number) => `2026-11-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
const about = { session: 'abcdef123', folder: '/p', agent: 'stopgate', hostPid: 1, launch: null, worker: null };
const start: LedgerEntry = { ...about, at: at(0), type: 'sessionStart', source: 'startup', ending: null };
const failed = [{ name: 'tests', outcome: 'failed' }];
const stop = (minute: number, type: EntryOf<'stop'>['ending']['type'], reason: string): LedgerEntry => ({
  ...{ ...about, at: at(minute), type: 'stop', durationMs: 2500 },
  ending: { type, reason, checks: failed },
});
const end = (minute: number, ending: string, reason = ''): LedgerEntry => ({
  ...{ ...about, at: at(minute), type: 'end', scope: 'turn', ending, reason, durationMs: 90_000 },
  spend: { usd: 0.5, outputTokens: 1200, requests: 3, bySource: { turn: 0.4, subagent: 0.1 } },
});
const landing: LedgerEntry = {
  ...{
    ...about,
    at: at(2),
    type: 'budget',
    budget: 'time',
    decision: 'refused',
    reason: 'too long',
    source: 'landing',
  },
};
const page = pageFor({ outIsTerminal: false, columns: 80 }, { cwd: '/p', homeDir: '/h', env: {} });

describe('the story of a session', () => {
  it('goes from its start to its end, in words', () => {
    const hook: LedgerEntry = {
      ...{
        ...about,
        at: at(1),
        type: 'hook',
        event: 'PreToolUse',
        hook: './guard.sh',
        source: '.claude/settings.json:4 hooks',
      },
      ...{ verdict: 'blocked', reason: 'no force push', durationMs: 12 },
    };
    const waiver: LedgerEntry = {
      ...about,
      at: at(4),
      type: 'waiver',
      check: 'tests',
      reason: 'sandbox down',
      by: 'ann',
    };
    const entries = [
      start,
      hook,
      landing,
      landing,
      stop(3, 'blocked', 'failed (tests)'),
      waiver,
      stop(5, 'waived', 'waived (tests)'),
      end(6, 'completed'),
    ];
    expect(storyText(entries, false, page).split('\n')).toEqual([
      'Session abcdef123  ~ waived',
      '/p, 2026-11-01, times in UTC',
      '10:00:00  stopgate started',
      '10:01:00  PreToolUse hook ./guard.sh (.claude/settings.json:4 hooks) blocked: no force push, after 12ms',
      '10:02:00  landing: the time budget refused a call: too long (2 times)',
      '10:03:00  wanted to stop and was sent back: failed (tests), decided in 2.5s',
      '10:04:00  ann accepted that tests fails: sandbox down',
      '10:05:00  wanted to stop and was allowed to: waived (tests), decided in 2.5s',
      '10:06:00  turn ended as completed after 1m30s, $0.5000 (turn $0.4000, subagent $0.1000), 1.2k tokens out, 3 requests',
      '',
      'What would have to change',
      'A person accepted what fails (waived (tests)). Fix it, and the next stop passes.',
      '',
    ]);
  });

  it('names a process that ended without a word, and only that', () => {
    expect(storyOf([start], false).at(-1)?.text).toContain('killed or crashed');
    expect(storyOf([start], true)).toHaveLength(1);
    expect(storyOf([start, end(1, 'completed')], false)).toHaveLength(2);
    // a host's session may go on at any time
    expect(storyOf([{ ...start, agent: 'claudeCode' }], false)).toHaveLength(1);
  });

  it.each<[readonly LedgerEntry[], RegExp]>([
    [[start, stop(1, 'blocked', 'failed (tests)')], /^Fix tests .* stopgate waive abcdef123 --check "tests"/],
    [[start, stop(1, 'stalled', 'stalled')], /without a change.*Fix tests/],
    [[start, stop(1, 'passed', 'passed (tests)'), end(2, 'completed')], /^Nothing/],
    [
      [start, stop(1, 'blocked', 'failed'), end(2, 'budget_exhausted', 'spent')],
      /--max-budget-usd.*--resume abcdef123/,
    ],
    [[start, stop(1, 'notArmed', 'not armed (no stopgate.config.json)')], /^Arm checks/],
    [[start, end(2, 'completed')], /nothing checked it/],
    [[start, end(2, 'something_new', 'because')], /^It ended as something_new: because/],
    [[start], /--resume abcdef123/],
  ])('%# ends with what would have to change', (entries, expected) => {
    expect(adviceFor(entries, false)).toMatch(expected);
  });

  it.each([
    [
      'verify-t1-2',
      'verifier',
      'the verification failed',
      /^The next attempt has to fix tests; .*`stopgate task redrive t1`/,
    ],
    ['verify-t1-landing-2', 'verifier', 'the merged result failed its checks', /`stopgate review accept t1`/],
    ['task-t1-2', 'stopgate', 'its completion was refused', /stopgate task redrive t1/],
  ])('advises no waiver for %s, which is settled', (session, agent, words, advice) => {
    const entries = [{ ...stop(1, 'blocked', 'failed (tests)'), session, agent }];
    expect(storyOf(entries, false)[0]?.text).toBe(`${words}: failed (tests), decided in 2.5s`);
    expect(adviceFor(entries, false)).toMatch(advice);
    expect(adviceFor(entries, false)).not.toContain('waive');
  });

  it('shows what hostile words hide', () => {
    const hostile = {
      ...start,
      at: at(1),
      type: 'waiver',
      check: 'a\u001b[2Jb',
      reason: '\u202Ex',
      by: 'me',
    } as LedgerEntry;
    const text = storyText([start, hostile], true, page);
    expect([text.includes('\u001b'), text.includes('\u202e')]).toEqual([false, false]);
  });
});

describe('the report of a night', () => {
  const facts = { since: at(0), until: '2026-11-01T22:00:00.000Z', tasks: null, isRunning: () => false };
  const as = (session: string, entries: readonly LedgerEntry[]) => entries.map((one) => ({ ...one, session }));

  it('is honest about one where nothing ran', () => {
    const old = as('old', [{ ...start, at: '2026-10-01T00:00:00.000Z' }]);
    const night = nightOf({ ...facts, sessions: [old] });
    expect(nightText(night, page).split('\n')).toEqual([
      '2026-11-01T10:00Z to 2026-11-01T22:00Z (12h)',
      '',
      'Sessions',
      '  Nothing ran: the ledger has no line of this time.',
      '',
    ]);
  });

  it('has sessions, endings by kind, spend, failures by reason, and what waits for a person', () => {
    const stalled = [
      start,
      stop(1, 'blocked', 'failed (tests)'),
      stop(2, 'stalled', 'stalled (tests)'),
      end(3, 'completed'),
    ];
    const night = nightOf({
      ...facts,
      sessions: [
        as('aaaaaaaa1', [start, stop(1, 'passed', 'passed (tests)'), end(2, 'completed')]),
        as('bbbbbbbb1', stalled),
        as('cccccccc1', stalled),
        as('dddddddd1', [start]),
      ],
      tasks: [
        { id: 't1', title: 'one', status: 'done', reason: null },
        { id: 't2', title: 'two', status: 'held', reason: 'a question' },
      ],
    });
    expect(night.endings).toEqual([
      { what: 'stalled', count: 2 },
      { what: 'passed', count: 1 },
      { what: 'lost', count: 1 },
    ]);
    expect(night.spend).toMatchObject({ usd: 1.5, requests: 9 });
    const text = nightText(night, page);
    for (const line of [
      'Sessions: 4 (2 stalled, 1 passed, 1 lost)',
      '  10:03Z  bbbbbbbb  stopgate  = stalled (tests), sent back 1 of 2 times (/p)',
      '  10:00Z  dddddddd  stopgate  lost: its process is gone without an end on record (/p)',
      '  1 done, 1 held.',
      '  task t2 (two) is held: a question',
      '  2 times: stalled (tests)',
      '; not known for 1 session',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).not.toContain('Nothing.');
    expect(nightMarkdown(night)).toContain('### Waits for a person: 4\n\n- bbbbbbbb: stalled (tests)');
  });

  it('counts only what happened since', () => {
    const entries = as('a', [start, end(1, 'completed'), { ...end(2, 'completed'), at: '2026-11-01T12:00:00.000Z' }]);
    expect(nightOf({ ...facts, since: '2026-11-01T11:00:00.000Z', sessions: [entries] }).spend?.usd).toBe(0.5);
  });
});
