import { entriesOf, grouped, type History, type Violation } from './history.ts';

/** I3: what was acknowledged is what the store has. */
export function acknowledgedIsThere(history: History): Violation[] {
  const tasks = new Map(history.tasks.map((task) => [task.id, task]));
  const attempts = new Map(history.attempts.map((attempt) => [attempt.id, attempt]));
  return entriesOf(history, 'answered')
    .filter(({ operation, answer }) => operation === 'complete' && answer === 'accepted')
    .flatMap(({ taskId, attemptId, epoch, result }): Violation[] => {
      const task = tasks.get(taskId);
      const lost = (why: string) => [{ invariant: 'I3', detail: `task ${taskId}, attempt ${attemptId}: ${why}` }];
      if (task === undefined) return lost('acknowledged, and the task is not there');
      if (task.attemptId !== attemptId || task.epoch !== epoch)
        return lost(`acknowledged, and the task has attempt ${task.attemptId}, epoch ${task.epoch}`);
      if (task.state !== 'done' && task.state !== 'verifying')
        return lost(`acknowledged, and the task is ${task.state}`);
      if (result !== undefined && task.result !== result) return lost('acknowledged, and the result is another one');
      const { state } = attempts.get(attemptId) ?? {};
      return state === 'succeeded' ? [] : lost(`acknowledged, and the attempt is ${state}`);
    });
}

/** I4: the answers to all hosts name one accepted attempt per task. */
export function acceptedOnce(history: History): Violation[] {
  const accepted = entriesOf(history, 'answered').filter(
    ({ operation, answer }) => operation === 'complete' && answer === 'accepted',
  );
  return [...grouped(accepted, ({ taskId }) => taskId)].flatMap(([taskId, answers]) => {
    const attempts = new Set(answers.map(({ attemptId }) => attemptId));
    return attempts.size < 2
      ? []
      : [{ invariant: 'I4', detail: `task ${taskId}: accepted from ${[...attempts].join(', ')}` }];
  });
}

/** I10: a repeated settlement gets the answer of the first. */
export function sameAnswers(history: History): Violation[] {
  const answers = grouped(entriesOf(history, 'answered'), ({ attemptId, operation, result }) =>
    JSON.stringify([attemptId, operation, result]),
  );
  return [...answers.values()].flatMap((same) => {
    const kinds = new Set(same.map(({ answer }) => answer));
    const [first] = same;
    if (kinds.size < 2 || first === undefined) return [];
    const detail = `task ${first.taskId}, attempt ${first.attemptId}: ${first.operation} was answered ${[...kinds].join(', then ')}`;
    return [{ invariant: 'I10', detail }];
  });
}
