import { expect, it } from 'vitest';
import { whyNotDone } from './askCompletion.ts';
import { errorEnding, type GateEnding, notArmedEnding, skippedEnding } from './ending.ts';

const ending = (type: GateEnding['type'], more: Partial<GateEnding> = {}): GateEnding => ({
  type,
  reason: `${type} (x)`,
  checks: [],
  ...more,
});

it.each([
  ['passed', ending('passed'), true],
  ['passed, with other checks than at the start, as at a stop', ending('passed', { changed: 'edited' }), true],
  ['no configuration', notArmedEnding('no stopgate.config.json'), true],
  ['a folder that no person trusted', skippedEnding('notTrusted'), true],
  ['checks that changed since a person trusted them', skippedEnding('changedSinceTrusted'), false],
  ['nothing changed, where the configuration accepts that', skippedEnding('nothingChanged'), true],
  ['failed', ending('blocked'), false],
  ['given up at a stop because no file changed', ending('stalled'), false],
  ['given up at a stop after many tries', ending('capped'), false],
  ['not finished in time', ending('outOfTime'), false],
  ['a configuration that cannot be read', errorEnding('broken'), false],
  ['interrupted', skippedEnding('checksInterrupted'), false],
  ['the configuration deleted by the agent', { ...notArmedEnding('deleted'), armedAtStart: ['tests'] }, false],
  ['trust withdrawn meanwhile', { ...skippedEnding('notTrusted'), armedAtStart: ['tests'] }, false],
])('decides whether a completion counts: %s', (_what, found, isDone) => {
  expect(whyNotDone(found) === null).toBe(isDone);
});
