import { describe, expect, it } from 'vitest';
import { allEvents, eventFacts } from '../../../hooks/events/eventTable.ts';
import { EVENT_WORDS, exit2InWords } from './eventWords.ts';

describe('events in words', () => {
  it.each(allEvents().map((row) => [row.name, row] as const))(
    '%s has words for a block where it can block',
    (_, row) => {
      const needs = row.onBlock === 'blocks' || row.onBlock === 'showsModel';
      expect(EVENT_WORDS[row.name].blocked !== undefined).toBe(needs);
      expect(exit2InWords(row)).toMatch(/\w{3}/);
    },
  );

  it.each([
    ['Stop', 'the turn would go on; what it printed on stderr is told to the model'],
    ['PreToolUse', 'the tool would not run; what it printed on stderr is told to the model'],
    ['PostToolUse', 'the tool has run already; what it printed on stderr is told to the model'],
    ['PostToolBatch', 'the turn would end, with what it printed on stderr as the reason'],
    ['SessionStart', 'changes nothing; what it printed on stderr is shown to you'],
    ['StopFailure', 'changes nothing, and nobody is told'],
    ['ConfigChange', 'the new settings would not be used; nobody is told why'],
  ] as const)('says what exit 2 does on %s', (event, words) => {
    expect(exit2InWords(eventFacts(event))).toBe(words);
  });
});
