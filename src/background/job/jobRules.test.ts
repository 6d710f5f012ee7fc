import { describe, expect, it } from 'vitest';
import type { JobStateName } from '../../schemas/jobState.ts';
import { jobByDefault, jobByRules } from './jobRules.ts';

const facts = (text: string, more: object = {}) => ({
  answers: text === '' ? [] : [text],
  stopReason: 'end_turn',
  openTasks: 0,
  ...more,
});

describe('jobByRules', () => {
  it.each<[JobStateName, string, RegExp, object?]>([
    ['failed', '', /without an answer/],
    ['failed', 'No.', /refused/, { stopReason: 'refusal' }],
    ['needs_input', 'I found two ways.\n\nShall I use the first one?', /^Shall I use the first one\?$/],
    ['needs_input', 'Done with the first half. Which database should I use?', /Which database/],
    ['blocked', 'The code is ready.\n\nI cannot proceed without credentials for the registry.', /cannot proceed/],
    ['blocked', 'I am blocked by a failing CI runner.', /blocked/],
    ['failed', 'I tried three ways.\n\nI could not fix the crash: it still fails on Node 24.', /could not fix/],
    ['working', 'The parser is read. Next, I will write the tests.', /Next, I will/],
    ['working', 'The parser is written.', /2 tasks of its list open/, { openTasks: 2 }],
    ['done', 'Fixed: the total skipped the first line. Checked with `node --test`.', /^Fixed:/],
    ['done', 'All 14 tests pass.', /All 14 tests pass/],
    ['done', 'Here is what changed:\n\n```\nwhat?\n```\n\nThe rename is complete.', /complete/],
  ])('%s: %j', (state, text, detail, more) => {
    const verdict = jobByRules(facts(text, more));
    expect(verdict?.state).toBe(state);
    expect(verdict?.detail).toMatch(detail);
  });

  it.each(['The function reads a file and counts its lines.', 'Fixed the parser, but the printer remains as it was.'])(
    'does not pretend to know: %j',
    (text) => expect(jobByRules(facts(text))).toBeUndefined(),
  );

  it('fits a detail on one line', () => {
    const { detail } = jobByDefault(facts(`${'word '.repeat(100)}`));
    expect(detail.length).toBeLessThanOrEqual(160);
    expect(detail).not.toContain('\n');
  });
});
