import { describe, expect, it } from 'vitest';
import type { AttemptDetails } from '../../../store/types.ts';
import { fakeClock } from '../../../testing/fakeClock.ts';
import { openPushClerk } from './pushClerk.ts';
import type { PushOutcome } from './pushWork.ts';

const MINUTE_MS = 60_000;

function clerkWith(outcomes: readonly PushOutcome[]) {
  const clock = fakeClock();
  const seen = { stages: [] as string[], notes: [] as AttemptDetails[], reports: [] as string[] };
  let at = 0;
  const clerk = openPushClerk({
    clock,
    everyMs: 5 * MINUTE_MS,
    taskId: 't',
    push: async (stage) => {
      seen.stages.push(stage);
      return outcomes[Math.min(at++, outcomes.length - 1)] as PushOutcome;
    },
    note: async (details) => void seen.notes.push(details),
    report: (sentence) => void seen.reports.push(sentence),
  });
  return { clock, clerk, seen };
}

const pushed = (commit: string, problem: string | null = null): PushOutcome => ({
  pushed: { commit, wip: null },
  problem,
});

it('pushes every few minutes until its agent is gone', async () => {
  const { clock, clerk, seen } = clerkWith([pushed('a')]);
  const over = new AbortController();
  const running = clerk.run(over.signal);
  await clock.advance(5 * MINUTE_MS);
  await clock.advance(5 * MINUTE_MS);
  over.abort();
  await running;
  expect(seen.stages).toEqual(['checkpoint', 'checkpoint']);
  // noted once: nothing changed at the second one
  expect(seen.notes).toEqual([{ pushedCommit: 'a', pushedWip: '', pushProblem: '' }]);
});

it('pushes at each change of the time tier, and not at its start', async () => {
  const { clerk, seen } = clerkWith([pushed('a')]);
  for (const left of [60, 30, 5, 4, 1, 0]) clerk.timeLeft(left * MINUTE_MS, 60 * MINUTE_MS);
  clerk.timeLeft(null, null);
  await clerk.last('settlement');
  expect(seen.stages).toEqual(['time tier wrapUp', 'time tier stopEditing', 'time tier expired', 'settlement']);
});

it('reports a problem once, goes on, and reports its end', async () => {
  const gone = pushed('a', 'gone');
  const { clerk, seen } = clerkWith([pushed('a'), gone, gone, pushed('b')]);
  for (let n = 0; n < 3; n++) await clerk.checkpoint('checkpoint');
  expect(await clerk.last('settlement')).toEqual({ pushedCommit: 'b', pushedWip: '', pushProblem: '' });
  expect(seen.reports).toEqual([
    'the work of task t is not on its remote, and is pushed again at the next checkpoint: gone',
    'the work of task t is on its remote now',
  ]);
  expect(seen.notes.map(({ pushProblem }) => pushProblem)).toEqual(['', 'gone', '']);
});

describe('before a settlement', () => {
  it('does not push again what a checkpoint that was under way could not push', async () => {
    const { clerk, seen } = clerkWith([pushed('a', 'silent'), pushed('b')]);
    void clerk.checkpoint('checkpoint');
    expect(await clerk.last('settlement')).toMatchObject({ pushProblem: 'silent' });
    expect(seen.stages).toEqual(['checkpoint']);
    expect(await clerk.afterwards()).toEqual(pushed('b'));
  });

  it('does not wait for a note to the store that hangs', async () => {
    const note = () => new Promise<never>(() => {});
    const push = async () => pushed('a');
    const clerk = openPushClerk({
      ...{ clock: fakeClock(), everyMs: MINUTE_MS, taskId: 't' },
      ...{ push, note, report: () => {} },
    });
    void clerk.checkpoint('checkpoint');
    expect(await clerk.last('settlement')).toMatchObject({ pushedCommit: 'a' });
  });
});
