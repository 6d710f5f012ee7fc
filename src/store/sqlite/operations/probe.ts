import { DEFAULT_QUEUE } from '../../taskDefaults.ts';
import type { ReadinessRequest } from '../../types.ts';
import type { Probe } from '../../waitForWork.ts';
import type { Tables } from '../tables.ts';
import { isQueuePaused } from './readiness.ts';
import { scanReady } from './scanReady.ts';

export function probe(tables: Tables, { queue = DEFAULT_QUEUE, types }: ReadinessRequest): Probe {
  if (isQueuePaused(tables, queue)) return { type: 'probe', due: false, dueInMs: null };
  const { due, nextDueAt } = scanReady(tables, queue, types);
  return { type: 'probe', due: due !== undefined, dueInMs: nextDueAt === null ? null : nextDueAt - tables.now };
}
