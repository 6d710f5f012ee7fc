import type { AttemptsOutcome, AttemptsRequest } from '../../taskOperationTypes.ts';
import type { WorkersOutcome, WorkersRequest } from '../../workerOperationTypes.ts';
import { attemptsOf } from '../attemptRows.ts';
import type { Tables } from '../tables.ts';
import { workersWhere } from '../workerRows.ts';

const CONDITION = `(? IS NULL OR w.queue = ?) AND (? IS NULL OR w.id = ?) AND (? IS NULL OR w.session_id = ?)
  AND (? = 0 OR w.state IN ('launching', 'live', 'draining'))`;

export function workers(tables: Tables, request: WorkersRequest): WorkersOutcome {
  const { queue = null, workerId = null, sessionId = null, running = false } = request;
  const values = [queue, queue, workerId, workerId, sessionId, sessionId, running ? 1 : 0];
  return { type: 'workers', now: tables.now, workers: workersWhere(tables, CONDITION, ...values) };
}

export function attempts(tables: Tables, { taskId }: AttemptsRequest): AttemptsOutcome {
  return { type: 'attempts', attempts: attemptsOf(tables, taskId) };
}
