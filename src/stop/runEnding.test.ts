import { describe, expect, it } from 'vitest';
import { type GateEnding, NOT_ASKED, notArmedEnding, skippedEnding } from './ending.ts';
import { decideRunEnding, exitOfRun, type RunEnding, type RunFacts } from './runEnding.ts';

const NOTHING: RunFacts = { answered: false, calledTools: false, changedFiles: false, leftRunning: false };

describe('the ending of a run', () => {
  it.each<[string, Partial<RunFacts>, RunEnding]>([
    ['nothing at all', {}, 'no_work'],
    ['an answer', { answered: true }, 'completed'],
    ['a tool call without an answer', { calledTools: true }, 'completed'],
    ['a changed file, by a tool that no hook saw', { calledTools: null, changedFiles: true }, 'completed'],
    ['nothing, without hooks', { calledTools: null }, 'no_work'],
    ['nothing, outside a repository', { changedFiles: null }, 'no_work'],
    ['nothing that could be seen', { calledTools: null, changedFiles: null }, 'completed'],
    ['an agent whose answer is not known', { answered: null }, 'completed'],
    ['a process that still runs', { answered: true, leftRunning: true }, 'left_running'],
    ['only a process that still runs', { leftRunning: true }, 'left_running'],
  ])('%s', (_name, facts, ending) => {
    expect(decideRunEnding({ ...NOTHING, ...facts })).toBe(ending);
  });
});

const PASSED: GateEnding = { type: 'passed', reason: 'passed (test)', checks: [] };
const CHANGED: GateEnding = { ...PASSED, changed: 'the checks' };

it.each<[RunEnding, GateEnding | null, number]>([
  ['completed', null, 0],
  ['completed', NOT_ASKED, 123],
  ['left_running', null, 122],
  ['left_running', notArmedEnding('no stopgate.config.json'), 122],
  ['left_running', PASSED, 0],
  ['left_running', CHANGED, 122],
  ['left_running', skippedEnding('checksInterrupted'), 123],
  ['no_work', null, 121],
  ['no_work', NOT_ASKED, 121],
])('%s exits by its checks', (ending, checks, code) => {
  expect(exitOfRun(ending, checks)).toBe(code);
});
