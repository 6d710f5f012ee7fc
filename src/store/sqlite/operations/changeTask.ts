import type { Outcomes } from '../../outcomes.ts';
import type { Requests } from '../../requests.ts';
import { recordEvent } from '../recordEvent.ts';
import type { Operation, Tables } from '../tables.ts';
import { findTaskById, type TaskRow } from '../taskRows.ts';
import { cancelTask, liveDuplicate } from './dependants.ts';
import { isQueuePaused } from './ready.ts';

/** What a person does to a task, found by its id. */
const changing =
  (change: (tables: Tables, task: TaskRow, request: Requests['cancel']) => Outcomes['cancel']) =>
  (tables: Tables, request: Requests['cancel']): Outcomes['cancel'] => {
    const task = findTaskById(tables, request.taskId);
    return task ? change(tables, task, request) : { type: 'unknownTask' };
  };

export const cancel = changing((tables, { seq, state }, { reason, actor }) => {
  if (state === 'cancelled') return { type: 'unchanged', state };
  if (state === 'done' || state === 'dead') return { type: 'refused', reason: 'state', state };
  cancelTask(tables, seq, { reason, actor });
  return { type: 'changed', state: 'cancelled' };
});

export const REDRIVE = `UPDATE tasks SET state = 'queued', failures = 0, reclaims = 0, releases = 0, counted_from = epoch,
  run_at = ?, updated_at = ? WHERE seq = ?`;

/** The epoch is kept: an earlier holder must not be mistaken for the next one. */
export const redrive = changing((tables, { seq, state, dedupeKey }, { actor, reason }) => {
  if (state === 'queued') return { type: 'unchanged', state };
  if (state !== 'dead' && state !== 'cancelled') return { type: 'refused', reason: 'state', state };
  const duplicate = liveDuplicate(tables, dedupeKey);
  if (duplicate) return { type: 'refused', reason: 'duplicate', existingId: duplicate.id };
  const { now } = tables;
  tables.run(REDRIVE, now, now, seq);
  const change = { state: 'queued', failures: 0, reclaims: 0, releases: 0, runAt: now, reason: reason ?? null };
  recordEvent(tables, 'task.redriven', { taskSeq: seq, actor }, change);
  return { type: 'changed', state: 'queued' };
});

export const hold = changing((tables, { seq, state, holdReason }, { reason = 'held', actor }) => {
  if (state !== 'queued') return { type: 'refused', reason: 'state', state };
  if (holdReason === reason) return { type: 'unchanged', state };
  tables.run('UPDATE tasks SET hold_reason = ?, updated_at = ? WHERE seq = ?', reason, tables.now, seq);
  recordEvent(tables, 'task.held', { taskSeq: seq, actor }, { holdReason: reason });
  return { type: 'changed', state };
});

export const unhold = changing((tables, { seq, state, holdReason }, { actor }) => {
  if (holdReason === null) return { type: 'unchanged', state };
  tables.run('UPDATE tasks SET hold_reason = NULL, updated_at = ? WHERE seq = ?', tables.now, seq);
  recordEvent(tables, 'task.unheld', { taskSeq: seq, actor }, { holdReason: null });
  return { type: 'changed', state };
});

/** No task of this queue is claimed until it is resumed; claimed ones continue. */
export const pauseQueue: Operation<'pauseQueue'> = (tables, { queue, reason, actor }) => {
  if (isQueuePaused(tables, queue)) return { type: 'unchanged' };
  const pause = `INSERT INTO queues (name, paused_at, reason) VALUES (?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET paused_at = excluded.paused_at, reason = excluded.reason`;
  tables.run(pause, queue, tables.now, reason ?? null);
  recordEvent(tables, 'queue.paused', { actor }, { queue, reason: reason ?? null });
  return { type: 'changed' };
};

export const resumeQueue: Operation<'resumeQueue'> = (tables, { queue, reason, actor }) => {
  if (!isQueuePaused(tables, queue)) return { type: 'unchanged' };
  tables.run('UPDATE queues SET paused_at = NULL, reason = NULL WHERE name = ?', queue);
  recordEvent(tables, 'queue.resumed', { actor }, { queue, reason: reason ?? null });
  return { type: 'changed' };
};
