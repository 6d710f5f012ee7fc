import type { TaskDetail } from '../../store/types.ts';

/** The outcome of an attempt for its task, in one sentence of a worker's log. Null: another attempt has it already. */
export function describeOutcome(
  task: Pick<TaskDetail, 'id' | 'state' | 'failures' | 'maxFailures' | 'lastError'>,
): string | null {
  return OUTCOMES[task.state](task);
}

type Describe = (task: Parameters<typeof describeOutcome>[0]) => string | null;

const OUTCOMES: Readonly<Record<TaskDetail['state'], Describe>> = {
  done: ({ id }) => `task ${id} is done`,
  verifying: ({ id }) => `task ${id} is completed and waits for its verification`,
  queued: ({ id, failures, maxFailures }) =>
    `task ${id} is queued again${failures === 0 ? '' : `; it failed ${failures} of ${maxFailures} times`}`,
  dead: ({ id, lastError }) =>
    `task ${id} is dead: ${firstLine(lastError)}; \`stopgate task retry ${id}\` queues it again`,
  cancelled: ({ id }) => `task ${id} is cancelled`,
  claimed: () => null,
};

const firstLine = (text: string | null) =>
  (text ?? 'no reason is on record').trim().split('\n', 1)[0]?.replace(/\.$/, '');
