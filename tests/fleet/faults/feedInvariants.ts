import type { StoreEvent } from '../../../src/store/types.ts';
import type { History, Violation } from './history.ts';

interface Followed {
  epoch: number;
  live: string | null;
  accepted: string | null;
  hasEnded: boolean;
}

type Found = Violation | undefined;
type Step = (task: Followed, event: StoreEvent) => Found;

const found = (invariant: string, { taskId, attemptId, epoch }: StoreEvent, why: string): Violation => ({
  invariant,
  detail: `task ${taskId}, attempt ${attemptId}, epoch ${epoch}: ${why}`,
});

const claimed: Step = (task, event) => {
  const before = { ...task };
  task.epoch = event.epoch ?? 0;
  task.live = event.attemptId;
  if (before.live !== null) return found('I1', event, `claimed while ${before.live} has it`);
  if (before.accepted !== null) return found('I4', event, `claimed although ${before.accepted} was accepted`);
  if (event.epoch !== before.epoch + 1) return found('I5', event, `claimed after epoch ${before.epoch}`);
  return undefined;
};

const completed: Step = (task, event) => {
  const before = { ...task };
  task.accepted = event.attemptId;
  task.live = null;
  if (before.accepted !== null) return found('I4', event, `accepted although ${before.accepted} was accepted`);
  if (event.epoch !== before.epoch) return found('I9', event, `accepted although the epoch is ${before.epoch}`);
  if (before.live !== (event.data.late ? null : event.attemptId))
    return found('I9', event, `accepted while ${before.live} has it`);
  return undefined;
};

const givenUp: Step = (task, event) => {
  const before = { ...task };
  task.live = null;
  if (event.epoch !== before.epoch) return found('I9', event, `${event.kind} although the epoch is ${before.epoch}`);
  if (before.live !== event.attemptId) return found('I9', event, `${event.kind} while ${before.live} has it`);
  return undefined;
};

/** A verifier, or a person, opens it again; what was accepted before counts no more. */
const reopened: Step = (task) => {
  task.accepted = null;
  return undefined;
};

const STEPS: Partial<Record<StoreEvent['kind'], Step>> = {
  'task.claimed': claimed,
  'task.offered': claimed,
  'task.completed': completed,
  'task.failed': givenUp,
  'task.released': givenUp,
  'task.lost': givenUp,
  'task.offerExpired': givenUp,
  'task.rejected': reopened,
  'task.redriven': reopened,
};

/** I1, I4, I5, I9: what may follow what for one task. */
export function followTasks({ events }: History): Violation[] {
  const tasks = new Map<string, Followed>();
  return events.flatMap((event) => {
    if (event.taskId === null) return [];
    const task = tasks.get(event.taskId) ?? { epoch: 0, live: null, accepted: null, hasEnded: false };
    tasks.set(event.taskId, task);
    return STEPS[event.kind]?.(task, event) ?? [];
  });
}

/** I5, I16: each start of a slot is one incarnation, higher than all before. */
export function followSlots({ events }: History): Violation[] {
  const incarnations = new Map<string, number>();
  const launched = new Set<string>();
  return events.flatMap(({ kind, workerId, data }): Violation[] => {
    if (workerId === null || typeof data.incarnation !== 'number') return [];
    const name = `${workerId}#${data.incarnation}`;
    const before = incarnations.get(workerId) ?? 0;
    if (kind === 'worker.launching') {
      if (launched.has(name)) return [{ invariant: 'I16', detail: `${name} was launched twice` }];
      launched.add(name);
    }
    if (kind !== 'worker.launching' && kind !== 'worker.registered') return [];
    incarnations.set(workerId, Math.max(before, data.incarnation));
    // a launched worker registers with the incarnation that was reserved for it
    const least = kind === 'worker.registered' && launched.has(name) ? before : before + 1;
    return data.incarnation < least ? [{ invariant: 'I5', detail: `${name} after ${before}` }] : [];
  });
}

/** I11: no task is claimed before all that it depends on is done. */
export function followDependencies({ events, tasks }: History): Violation[] {
  const needed = new Map(tasks.map(({ id, dependsOn = [] }) => [id, dependsOn]));
  const done = new Set<string>();
  return events.flatMap((event) => {
    const { kind, taskId } = event;
    if (taskId === null) return [];
    if (kind === 'task.completed' && event.data.state === 'done') done.add(taskId);
    if (kind === 'task.verified') done.add(taskId);
    if (kind !== 'task.claimed' && kind !== 'task.offered') return [];
    const missing = (needed.get(taskId) ?? []).filter((id) => !done.has(id));
    return missing.length === 0 ? [] : found('I11', event, `claimed before ${missing.join(', ')}`);
  });
}

/** I13: no worker is stopped while it has a task. */
export function followWorkers({ events }: History): Violation[] {
  const held = new Map<string, string>();
  return events.flatMap((event): Violation[] => {
    const { kind, workerId, taskId, attemptId } = event;
    if (workerId === null) return [];
    if (kind === 'worker.stopped') {
      const taken = held.get(workerId);
      return taken === undefined ? [] : [{ invariant: 'I13', detail: `${workerId} was stopped while it had ${taken}` }];
    }
    if (taskId === null) return [];
    if (kind === 'task.claimed' || kind === 'task.offered') held.set(workerId, attemptId ?? '');
    else if (STEPS[kind] !== undefined && held.get(workerId) === attemptId) held.delete(workerId);
    return [];
  });
}
