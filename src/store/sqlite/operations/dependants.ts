import type { PlannedTask } from '../../requests.ts';
import type { TaskState } from '../../task.ts';
import { type HeldTask, heldByAttempt } from '../attemptRows.ts';
import { UNIQUE } from '../indexConditions.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Tables } from '../tables.ts';
import { endAttempt, type PutBackResult } from './holding.ts';

/** A task that another one may depend on. */
export interface Dependency {
  readonly seq: number;
  readonly id: string;
  readonly state: TaskState;
}

export function findDependency(tables: Tables, id: string): Dependency | undefined {
  return tables.get<Dependency>('SELECT seq, id, state FROM tasks WHERE id = ?', id);
}

const LIVE_DUPLICATE = `SELECT seq, id, state FROM tasks INDEXED BY tasks_dedupe WHERE dedupe_key = ? AND ${UNIQUE}`;

/** The task with this key that has not ended. */
export function liveDuplicate(tables: Tables, dedupeKey: string | null): Dependency | undefined {
  return dedupeKey === null ? undefined : tables.get<Dependency>(LIVE_DUPLICATE, dedupeKey);
}

type OnFailure = PlannedTask['onDependencyFailure'];

export const hasFailed = ({ state }: Dependency): boolean => state === 'dead' || state === 'cancelled';

export function addDependency(tables: Tables, taskSeq: number, on: Dependency, onFailure: OnFailure): void {
  const met = isMet(on, onFailure) ? 1 : 0;
  tables.run('INSERT INTO dependencies VALUES (?, ?, ?, ?)', taskSeq, on.seq, onFailure, met);
}

export const isMet = (on: Dependency, onFailure: OnFailure): boolean =>
  on.state === 'done' || (hasFailed(on) && onFailure === 'run');

interface Dependant {
  readonly taskSeq: number;
  readonly onFailure: OnFailure;
}

const DEPENDANTS = `SELECT d.task_seq, d.on_failure FROM dependencies d
  JOIN tasks t ON t.seq = d.task_seq WHERE d.depends_on = ? AND d.met = 0 AND t.state = 'queued' ORDER BY d.task_seq`;

/** A task is done: its dependants have one unmet dependency fewer. */
export function meetDependants(tables: Tables, taskSeq: number): void {
  const all = 'SELECT task_seq FROM dependencies WHERE depends_on = ? AND met = 0 ORDER BY task_seq';
  for (const dependant of tables.all<Dependant>(all, taskSeq)) meet(tables, dependant.taskSeq, taskSeq);
}

/** A task ended dead or cancelled: handles each dependant by its `onDependencyFailure`. */
function failDependants(tables: Tables, taskSeq: number): void {
  // a list instead of recursion: a chain may be longer than the stack
  const ended = [taskSeq];
  for (let next = ended.shift(); next !== undefined; next = ended.shift()) {
    for (const { taskSeq: dependant, onFailure } of tables.all<Dependant>(DEPENDANTS, next)) {
      if (onFailure === 'run') meet(tables, dependant, next);
      if (onFailure !== 'cancel') continue;
      cancelOne(tables, dependant, { reason: 'dependency_failed' });
      ended.push(dependant);
    }
  }
}

/** Called after the event of the task itself is recorded, so that causes come before effects. */
export function endDependants(tables: Tables, held: HeldTask, { state }: PutBackResult): void {
  if (state === 'dead') failDependants(tables, held.taskSeq);
}

interface Cancellation {
  readonly reason?: string | undefined;
  readonly actor?: string | undefined;
}

/** Ends a task that has not ended, and the dependants that end with it. */
export function cancelTask(tables: Tables, taskSeq: number, cancellation: Cancellation): void {
  cancelOne(tables, taskSeq, cancellation);
  failDependants(tables, taskSeq);
}

const CANCEL = `UPDATE tasks SET state = 'cancelled', verify_holder = NULL, verify_until = NULL, updated_at = ?
  WHERE seq = ? RETURNING attempt_id, epoch`;

function cancelOne(tables: Tables, taskSeq: number, { reason, actor }: Cancellation): void {
  const task = tables.get<{ attemptId: string | null; epoch: number }>(CANCEL, tables.now, taskSeq);
  const held = task?.attemptId ? heldByAttempt(tables, task.attemptId) : undefined;
  const live = held?.state === 'active' || held?.state === 'offered' ? held : undefined;
  if (live) endAttempt(tables, live, { state: 'cancelled', outcome: 'cancelled' });
  const change = { state: 'cancelled', reason: reason ?? null, ...(live && { attemptState: 'cancelled' }) };
  recordEvent(tables, 'task.cancelled', { ...live, taskSeq, actor }, change);
}

const UNBLOCK = 'UPDATE tasks SET unmet = unmet - 1, updated_at = ? WHERE seq = ? RETURNING unmet';

function meet(tables: Tables, taskSeq: number, dependsOn: number): void {
  tables.run('UPDATE dependencies SET met = 1 WHERE task_seq = ? AND depends_on = ?', taskSeq, dependsOn);
  const left = tables.get<{ unmet: number }>(UNBLOCK, tables.now, taskSeq);
  recordEvent(tables, 'task.dependencyMet', { taskSeq }, { unmetDependencies: left?.unmet ?? 0 });
}

const WAIT_AGAIN = `SELECT d.task_seq FROM dependencies d JOIN tasks t ON t.seq = d.task_seq
  WHERE d.depends_on = ? AND d.met = 1 AND t.state = 'queued' AND t.epoch = 0 ORDER BY d.task_seq`;

const BLOCK = 'UPDATE tasks SET unmet = unmet + 1, updated_at = ? WHERE seq = ? RETURNING unmet';

/** A task that was done is not: its dependants that were never claimed wait for it again. */
export function unmeetDependants(tables: Tables, dependsOn: number): void {
  for (const { taskSeq } of tables.all<Dependant>(WAIT_AGAIN, dependsOn)) {
    tables.run('UPDATE dependencies SET met = 0 WHERE task_seq = ? AND depends_on = ?', taskSeq, dependsOn);
    const left = tables.get<{ unmet: number }>(BLOCK, tables.now, taskSeq);
    recordEvent(tables, 'task.dependencyUnmet', { taskSeq }, { unmetDependencies: left?.unmet ?? 1 });
  }
}
