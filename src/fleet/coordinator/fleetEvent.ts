import type { TaskState } from '../../store/types.ts';
import type { EndWhy } from '../decisions/fleetAction.ts';
import type { HostShortage } from '../decisions/hostRoom.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';

interface OfWorker {
  worker: string;
}

interface FleetEvents {
  leading: { epoch: number };
  following: { holder: string };
  started: OfWorker & { incarnation: number; pid: number; why: 'kept' | 'tasksWait' };
  notStarted: OfWorker & { reason: string };
  adopted: OfWorker & { incarnation: number; pid: number | null };
  suspect: OfWorker & { dueAt: number };
  ending: OfWorker & { why: EndWhy };
  ended: OfWorker & { ending: RunEnding; exitCode: number | null; signal: string | null };
  reclaimed: OfWorker & { taskId: string; taskState: TaskState; as: 'lost' | 'drained' | 'rateLimited' | 'continued' };
  deferred: OfWorker & { taskId: string | null };
  stalled: OfWorker & { stage: 'warn'; silentMs: number };
  draining: OfWorker & { why: 'shutdown' | 'scaleDown' };
  resting: OfWorker & { why: 'backoff' | 'crashLoop' | 'fruitless'; untilAt: number };
  hostResting: { untilAt: number };
  /** A worker is needed, and the host has too little for it. */
  hostFull: { shortage: HostShortage };
  accountPaused: { account: string; untilAt: number; source: string | null };
  accountResumed: { account: string };
  /** `movedTo`: where its tasks are now; it will not answer again. */
  storeUnavailable: { reason: string; movedTo: string | null };
  storeBack: object;
  /** Of a settlement that was kept on this host; `refused`: why the store did not take it. */
  delivered: OfWorker & { taskId: string; settled: string; keptAt: number; refused: string | null };
  /** What is done about a task whose agent had finished before its worker was gone. */
  finishing: { note: string };
  slept: object;
  shuttingDown: { withinMs: number };
  down: { left: readonly string[] };
}

/** What a coordinator reports as it happens, for people and, as JSON lines, for scripts. */
export type FleetEvent = {
  [Type in keyof FleetEvents]: Readonly<{ type: Type } & FleetEvents[Type]>;
}[keyof FleetEvents];
