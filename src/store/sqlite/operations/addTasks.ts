import type { AddedTask } from '../../outcomes.ts';
import { refused } from '../../planBatch.ts';
import type { PlannedTask } from '../../requests.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { addDependency, type Dependency, findDependency, hasFailed, isMet, liveDuplicate } from './dependants.ts';

/** Adds a batch that `planBatch` has checked: all of it, or nothing and the reason. */
export const addTasks: Operation<'addTasks'> = (tables, { tasks, actor }) => {
  const known = new Map<string, Dependency>();
  const added = numberTasks(tables, tasks, known);
  const dependencies: Dependency[][] = [];
  for (const [position, task] of tasks.entries()) {
    const found = added[position]?.created ? dependenciesOf(tables, task, position, known) : [];
    if ('type' in found) return found;
    dependencies.push(found);
  }
  for (const [position, task] of tasks.entries()) {
    const seq = known.get(task.id)?.seq;
    if (!added[position]?.created || seq === undefined) continue;
    insertTask(tables, { seq, task, dependencies: dependencies[position] ?? [], actor });
  }
  return { type: 'added', tasks: added };
};

/** Which tasks are new, and their numbers; writes nothing. */
function numberTasks(tables: Tables, tasks: readonly PlannedTask[], known: Map<string, Dependency>): AddedTask[] {
  let seq = tables.get<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM tasks')?.seq ?? 0;
  return tasks.map(({ id, dedupeKey }) => {
    const before = known.get(id) ?? findDependency(tables, id) ?? liveDuplicate(tables, dedupeKey);
    known.set(id, before ?? { seq: ++seq, id, state: 'queued' });
    return { id: before?.id ?? id, created: before === undefined };
  });
}

function dependenciesOf(
  tables: Tables,
  task: PlannedTask,
  position: number,
  known: ReadonlyMap<string, Dependency>,
): Dependency[] | ReturnType<typeof refused> {
  const found: Dependency[] = [];
  for (const id of task.dependsOn) {
    const dependency = known.get(id) ?? findDependency(tables, id);
    if (!dependency) return refused(position, 'unknownDependency', `There is no task ${id} to depend on.`);
    if (hasFailed(dependency) && task.onDependencyFailure === 'cancel') {
      return refused(position, 'failedDependency', `Task ${id}, which it depends on, is ${dependency.state} already.`);
    }
    if (!found.some(({ seq }) => seq === dependency.seq)) found.push(dependency);
  }
  return found;
}

interface TaskInsert {
  readonly seq: number;
  readonly task: PlannedTask;
  readonly dependencies: readonly Dependency[];
  readonly actor: string | undefined;
}

const INSERT = `INSERT INTO tasks (seq, id, queue, type, priority, state, run_at, unmet, max_failures, max_reclaims, max_releases,
  backoff_ms, created_at, updated_at, time_budget_ms, cost_budget_usd, token_budget, total_time_ms, dedupe_key,
  parent_id, hold_reason, verify, judge, title, repository, base, concurrency_key, concurrency_limit)
  VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

function insertTask(tables: Tables, { seq, task, dependencies, actor }: TaskInsert): void {
  const { now } = tables;
  const { maxFailures, maxReclaims, maxReleases, backoffMs, holdReason } = task;
  const runAt = Math.max(now + task.delayMs, task.runAt, now);
  const unmet = dependencies.filter((on) => !isMet(on, task.onDependencyFailure)).length;
  const place = [task.id, task.queue, task.type, task.priority];
  const counts = [maxFailures, maxReclaims, maxReleases, backoffMs];
  const budgets = [task.timeBudgetMs, task.costBudgetUsd, task.tokenBudget, task.totalTimeMs];
  const proof = [task.verify, task.judge];
  const texts = [task.dedupeKey, task.parentId, holdReason, ...proof, task.title, task.repository, task.base];
  const limits = [task.concurrencyKey, task.concurrencyLimit];
  tables.run(INSERT, seq, ...place, runAt, unmet, ...counts, now, now, ...budgets, ...texts, ...limits);
  if (task.body !== '') tables.run('INSERT INTO bodies VALUES (?, ?)', seq, task.body);
  for (const on of dependencies) addDependency(tables, seq, on, task.onDependencyFailure);
  const change = { state: 'queued', runAt, unmetDependencies: unmet, holdReason };
  recordEvent(tables, 'task.added', { taskSeq: seq, actor }, change);
}
