import type { TaskState } from '../../store/types.ts';
import type { EndWhy } from '../decisions/fleetAction.ts';
import type { RunEnding } from '../decisions/restartBudget.ts';

/** What a coordinator reports as it happens, for people and, as JSON lines, for scripts. */
export type FleetEvent =
  | { readonly type: 'leading'; readonly epoch: number }
  | { readonly type: 'following'; readonly holder: string }
  | {
      readonly type: 'started';
      readonly worker: string;
      readonly incarnation: number;
      readonly pid: number;
      readonly why: 'kept' | 'tasksWait';
    }
  | { readonly type: 'notStarted'; readonly worker: string; readonly reason: string }
  | { readonly type: 'adopted'; readonly worker: string; readonly incarnation: number; readonly pid: number | null }
  | { readonly type: 'suspect'; readonly worker: string; readonly dueAt: number }
  | { readonly type: 'ending'; readonly worker: string; readonly why: EndWhy }
  | {
      readonly type: 'ended';
      readonly worker: string;
      readonly ending: RunEnding;
      readonly exitCode: number | null;
      readonly signal: string | null;
    }
  | {
      readonly type: 'reclaimed';
      readonly worker: string;
      readonly taskId: string;
      readonly taskState: TaskState;
      readonly as: 'lost' | 'drained' | 'rateLimited' | 'continued';
    }
  | { readonly type: 'deferred'; readonly worker: string; readonly taskId: string | null }
  | { readonly type: 'stalled'; readonly worker: string; readonly stage: 'warn'; readonly silentMs: number }
  | { readonly type: 'draining'; readonly worker: string; readonly why: 'shutdown' | 'scaleDown' }
  | {
      readonly type: 'resting';
      readonly worker: string;
      readonly why: 'backoff' | 'crashLoop' | 'fruitless';
      readonly untilAt: number;
    }
  | { readonly type: 'hostResting'; readonly untilAt: number }
  | { readonly type: 'hostFull' }
  | {
      readonly type: 'accountPaused';
      readonly account: string;
      readonly untilAt: number;
      readonly source: string | null;
    }
  | { readonly type: 'accountResumed'; readonly account: string }
  | { readonly type: 'storeUnavailable'; readonly reason: string }
  | { readonly type: 'storeBack' }
  | { readonly type: 'slept' }
  | { readonly type: 'shuttingDown'; readonly withinMs: number }
  | { readonly type: 'down'; readonly left: readonly string[] };
