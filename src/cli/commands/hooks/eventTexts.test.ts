import { describe, expect, it } from 'vitest';
import { allEvents, eventFacts } from '../../../hooks/events/eventTable.ts';
import { describeExit2, EVENT_WORDS } from './eventTexts.ts';

describe('descriptions of events', () => {
  it.each(allEvents().map((row) => [row.name, row] as const))('%s describes a block where it can block', (_, row) => {
    const needs = row.onBlock === 'blocks' || row.onBlock === 'showsModel';
    expect(EVENT_WORDS[row.name].blocked !== undefined).toBe(needs);
    expect(describeExit2(row)).toMatch(/\w{3}/);
  });

  it.each([
    ['Stop', 'the turn would continue; the model would see its stderr'],
    ['PreToolUse', 'the tool would not run; the model would see its stderr'],
    ['PostToolUse', 'the tool has run already; the model would see its stderr'],
    ['PostToolBatch', 'the turn would end, with its stderr as the reason'],
    ['SessionStart', 'changes nothing; its stderr is shown to you'],
    ['StopFailure', 'changes nothing and is not shown'],
    ['ConfigChange', 'the new settings would not be used; its stderr is not shown'],
  ] as const)('describes exit code 2 on %s', (event, words) => {
    expect(describeExit2(eventFacts(event))).toBe(words);
  });
});
