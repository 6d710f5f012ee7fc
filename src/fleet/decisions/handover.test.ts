import { describe, expect, it } from 'vitest';
import type { Attempt, Claimed, PreviousAttempt, Task } from '../../store/types.ts';
import { formatHandover } from './handover.ts';

const MINUTE = 60_000;
const now = 1_000 * MINUTE;

const lease = { taskId: 'task-7', attemptId: 'claim-9', epoch: 3, workerId: 'w1', incarnation: 1 };
const task = { id: 'task-7', title: 'Fix the login', body: 'The form drops the password.' } as Task;
const attempt = { deadlineAt: now + 45 * MINUTE } as Attempt;
const previous: PreviousAttempt = {
  attemptId: 'claim-8',
  epoch: 2,
  state: 'timed_out',
  outcome: 'timed_out',
  error: null,
  checkpoint: 'The bug is in form.ts; a test is written.',
  checkpointAt: now - 21 * MINUTE,
  details: { branch: 'sg/task-7/2', wipRef: 'refs/stopgate/wip/claim-8' },
  endedAt: now - 18 * MINUTE,
};
const claimed: Claimed = { type: 'claimed', lease, task, attempt, attemptNumber: 2, previous };

describe('the handover of a task to a worker', () => {
  it('is the task, what the last attempt left, and how to settle it', () => {
    expect(formatHandover(claimed, now)).toBe(`You have a task. Task task-7, attempt 2, epoch 3: Fix the login

The form drops the password.

Time limit: 45m.

An earlier attempt ended 18m ago: timed out.
Its work: sg/task-7/2, refs/stopgate/wip/claim-8.
To restore it: stopgate restore claim-8
Its notes, 21m ago:
The bug is in form.ts; a test is written.

Settle it with one of these commands, then stop; the next task arrives automatically:
- done: stopgate task complete task-7 --epoch 3 --result "what you did"
- cannot be done: stopgate task fail task-7 --epoch 3 --error "why"
- give it back: stopgate task release task-7 --epoch 3 --note "notes for the next worker"`);
  });

  it('leaves out what is not there', () => {
    const bare = { ...claimed, task: { ...task, body: '' }, attempt: { deadlineAt: null } as Attempt, previous: null };
    expect(formatHandover(bare, now).split('\n\n')).toHaveLength(2);
  });

  it('stays below what hosts accept, whatever others wrote, and names where to read on', () => {
    const long = '😀x'.repeat(200_000);
    const huge: Claimed = {
      ...claimed,
      task: { ...task, title: long, body: long },
      previous: { ...previous, checkpoint: long, error: long, details: { branch: long, wipRef: long } },
    };
    const words = formatHandover(huge, now);
    expect(words.length).toBeLessThan(8_000);
    expect(words).toContain('more characters: stopgate task show task-7');
    expect(words).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });
});
