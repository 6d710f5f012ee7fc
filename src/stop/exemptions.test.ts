import { expect, it } from 'vitest';
import { NEVER_BLOCK_WORDS, neverBlockCode, type StopSituation } from './exemptions.ts';

const plain: StopSituation = {
  switchedOff: false,
  insideCheck: false,
  sessionId: 's',
  endedBy: 'itself',
  backgroundTasks: 0,
  scheduledWakeUps: 0,
  isPlanning: false,
  remainingSeconds: null,
};

it.each<[Partial<StopSituation>, string | null]>([
  [{}, null],
  [{ remainingSeconds: 1 }, null],
  [{ switchedOff: true }, 'Stopgate is switched off'],
  [{ insideCheck: true }, 'a check started this agent'],
  [{ sessionId: null }, 'the host named no session'],
  [{ sessionId: '' }, 'the host named no session'],
  [{ endedBy: 'interrupt' }, 'the person interrupted the turn'],
  [{ endedBy: 'rateLimit' }, 'a rate limit ended the turn'],
  [{ endedBy: 'contextLimit' }, 'the context is full'],
  [{ endedBy: 'error' }, 'an error ended the turn'],
  [{ backgroundTasks: 1 }, 'background tasks are running'],
  [{ scheduledWakeUps: 2 }, 'the session resumes by itself later'],
  [{ isPlanning: true }, 'the agent is in plan mode'],
  [{ isHostStuck: true }, 'the host repeats the stop without asking its model, as after its loop detection'],
  [{ remainingSeconds: 0 }, 'the time budget is over'],
  [{ remainingSeconds: -5 }, 'the time budget is over'],
  [{ tokensOver: true }, 'the token limit is reached'],
  [{ tokensOver: false }, null],
])('%o: %s', (facts, why) => {
  const code = neverBlockCode({ ...plain, ...facts });
  expect(code && NEVER_BLOCK_WORDS[code]).toBe(why);
});
