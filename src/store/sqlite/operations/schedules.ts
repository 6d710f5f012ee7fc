import type { Outcomes } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import type { Schedule } from '../../schedule.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { addTasks } from './addTasks.ts';
import { findDependency } from './dependants.ts';

interface ScheduleRow extends Omit<Schedule, 'task' | 'overlap'> {
  readonly task: string;
  readonly overlap: number;
}

const COLUMNS = `id, cron, every_ms, timezone, task, overlap, created_at, paused_at, next_due_at, last_due_at, last_task_id,
  fired, missed, skipped`;

const ADD = `INSERT INTO schedules (id, cron, every_ms, timezone, task, overlap, created_at, next_due_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;

export const addSchedule: Operation<'addSchedule'> = (tables, request) => {
  const { id, cron, everyMs, timezone, task, overlap, nextDueAt, actor } = request;
  const values = [id, cron, everyMs, timezone, JSON.stringify(task), overlap ? 1 : 0, tables.now, nextDueAt];
  if (tables.change(ADD, ...values) === 0) return { type: 'unchanged' };
  recordEvent(tables, 'schedule.added', { actor }, { schedule: id, title: task.title, nextDueAt });
  return { type: 'added' };
};

type Change = (tables: Tables, request: Requests['changeSchedule'], row: ScheduleRow) => boolean;

/** Each returns whether anything changed. */
const CHANGES: Readonly<Record<Requests['changeSchedule']['change'], Change>> = {
  pause: (tables, { id }, { pausedAt }) => {
    if (pausedAt !== null) return false;
    tables.run('UPDATE schedules SET paused_at = ? WHERE id = ?', tables.now, id);
    return true;
  },
  resume: (tables, { id, nextDueAt }, row) => {
    if (row.pausedAt === null) return false;
    const resume = 'UPDATE schedules SET paused_at = NULL, next_due_at = ? WHERE id = ?';
    tables.run(resume, nextDueAt ?? row.nextDueAt, id);
    return true;
  },
  remove: (tables, { id }) => {
    tables.run('DELETE FROM schedules WHERE id = ?', id);
    return true;
  },
};

const KINDS = { pause: 'schedule.paused', resume: 'schedule.resumed', remove: 'schedule.removed' } as const;

export const changeSchedule: Operation<'changeSchedule'> = (tables, request) => {
  const { id, change, actor } = request;
  const row = rowOf(tables, id);
  if (!row) return { type: 'unknownSchedule' };
  if (!CHANGES[change](tables, request, row)) return { type: 'unchanged' };
  recordEvent(tables, KINDS[change], { actor }, { schedule: id });
  return { type: 'changed' };
};

const FIRE = `UPDATE schedules SET next_due_at = ?, last_due_at = ?, last_task_id = coalesce(?, last_task_id),
  fired = fired + ?, skipped = skipped + ?, missed = missed + ? WHERE id = ?`;

/** A due time belongs to the first call that moves the schedule past it; the store's own clock decides whether it is due. */
export const fireSchedule: Operation<'fireSchedule'> = (tables, request) => {
  const { id, dueAt, latestDueAt, nextDueAt, missed, taskId, actor } = request;
  const row = rowOf(tables, id);
  if (row?.nextDueAt !== dueAt || row.pausedAt !== null || latestDueAt > tables.now || nextDueAt <= latestDueAt) {
    return { type: 'superseded' };
  }
  const before = row.lastTaskId === null || row.overlap ? undefined : findDependency(tables, row.lastTaskId);
  const isUnfinished = before !== undefined && !['done', 'dead', 'cancelled'].includes(before.state);
  const fire = (isFired: boolean) =>
    tables.run(FIRE, nextDueAt, latestDueAt, isFired ? taskId : null, isFired ? 1 : 0, isFired ? 0 : 1, missed, id);
  const change = { schedule: id, dueAt: latestDueAt, missed };
  if (isUnfinished) {
    fire(false);
    const reason = `task ${before.id} of the due time before has not ended`;
    recordEvent(tables, 'schedule.skipped', { taskSeq: before.seq, actor }, { ...change, reason });
    return { type: 'skipped', unfinishedId: before.id };
  }
  const added = addTasks(tables, {
    tasks: [{ ...JSON.parse(row.task), id: taskId, delayMs: 0, runAt: 0 }],
    actor: `schedule ${id}`,
  });
  if (added.type === 'refused') throw new Error(`Schedule ${id}: ${added.reason}`);
  fire(true);
  recordEvent(tables, 'schedule.fired', { actor }, { ...change, task: added.tasks[0]?.id ?? taskId });
  return { type: 'fired', taskId: added.tasks[0]?.id ?? taskId };
};

function rowOf(tables: Tables, id: string): ScheduleRow | undefined {
  return tables.get<ScheduleRow>(`SELECT ${COLUMNS} FROM schedules WHERE id = ?`, id);
}

const ALL = `SELECT ${COLUMNS} FROM schedules ORDER BY created_at, id`;
const DUE = `SELECT ${COLUMNS} FROM schedules WHERE paused_at IS NULL AND next_due_at <= ? ORDER BY created_at, id`;
const NEXT = 'SELECT min(next_due_at) AS at FROM schedules WHERE paused_at IS NULL';

export const schedules: Operation<'schedules'> = (tables, { dueOnly = false }): Outcomes['schedules'] => {
  const rows = dueOnly ? tables.all<ScheduleRow>(DUE, tables.now) : tables.all<ScheduleRow>(ALL);
  return {
    type: 'schedules',
    now: tables.now,
    schedules: rows.map((row) => ({ ...row, task: JSON.parse(row.task), overlap: row.overlap === 1 })),
    nextDueAt: tables.get<{ at: number | null }>(NEXT)?.at ?? null,
  };
};
