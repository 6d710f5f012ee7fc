import { replayEvents } from '../../../src/testing/storeContract/eventCases.ts';
import { grouped, type History, type Violation } from './history.ts';

const TERMINAL: ReadonlySet<string> = new Set(['done', 'dead', 'cancelled']);

/** I7: in the end no task waits for anything. */
export function noneStuck({ tasks }: History): Violation[] {
  return tasks
    .filter(({ state }) => !TERMINAL.has(state))
    .map(({ id, state, epoch }) => ({ invariant: 'I7', detail: `task ${id} is ${state} in epoch ${epoch}` }));
}

/** I6: the events alone build the tables. */
export function eventsBuildTables({ events, tasks, attempts }: History): Violation[] {
  const replayed = replayEvents(events);
  const differs = (what: string, id: string, has: unknown, says: unknown): Violation[] =>
    has === says ? [] : [{ invariant: 'I6', detail: `${what} ${id}: the table has ${has}, the events ${says}` }];
  return [
    ...tasks.flatMap(({ id, state, epoch, failures, reclaims, releases }) => {
      const facts = replayed.tasks.get(id);
      const table = { state, epoch, failures, reclaims, releases };
      return Object.entries(table).flatMap(([name, value]) => differs(`${name} of task`, id, value, facts?.[name]));
    }),
    ...attempts.flatMap(({ id, state }) => differs('attempt', id, state, replayed.attempts.get(id)?.state)),
  ];
}

/** I8: no task is started more often than its limits allow. Drained and unserved attempts do not count. */
export function workIsBounded({ tasks, attempts, events }: History): Violation[] {
  const byTask = grouped(attempts, ({ taskId }) => taskId);
  const free = grouped(
    events.filter(({ kind, data }) => kind === 'task.released' && UNCOUNTED.has(String(data.reason))),
    ({ taskId }) => taskId ?? '',
  );
  const expired = grouped(
    events.filter(({ kind }) => kind === 'task.offerExpired'),
    ({ taskId }) => taskId ?? '',
  );
  return tasks.flatMap(({ id, maxFailures, maxReclaims, maxReleases }) => {
    const count = byTask.get(id)?.length ?? 0;
    const uncounted = (free.get(id)?.length ?? 0) + (expired.get(id)?.length ?? 0);
    const most = maxFailures + maxReclaims + maxReleases + uncounted;
    return count <= most ? [] : [{ invariant: 'I8', detail: `task ${id} was started ${count} times, at most ${most}` }];
  });
}

const UNCOUNTED: ReadonlySet<string> = new Set(['rate_limited', 'unserved', 'drained']);

/** I4: a task that is done has one attempt that succeeded, and its result. */
export function oneResult({ tasks, attempts }: History): Violation[] {
  const succeeded = grouped(
    attempts.filter(({ state }) => state === 'succeeded'),
    ({ taskId }) => taskId,
  );
  return tasks
    .filter(({ state }) => state === 'done')
    .flatMap(({ id, attemptId, result }) => {
      const own = succeeded.get(id) ?? [];
      const [only] = own;
      if (own.length === 1 && only?.id === attemptId && only.result === result) return [];
      const names = own.map((one) => one.id).join(', ');
      return [{ invariant: 'I4', detail: `task ${id} is done by ${attemptId}; succeeded: ${names || 'none'}` }];
    });
}
