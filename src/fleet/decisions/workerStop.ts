import type { Task } from '../../store/types.ts';
import { idleMs } from './idleTime.ts';
import { abandonReason, approveReason, heldReason, pendingReason, waitingReason, waitOnReason } from './stopReasons.ts';
import { nextStopStep, type StopStep, type StopStepFacts } from './stopStep.ts';

type PendingTask = Pick<Task, 'id' | 'title'>;

export interface WorkerStopFacts extends Omit<StopStepFacts, 'pending'> {
  /** What this worker could claim now, best first: nothing blocked, delayed or meant for others. */
  readonly pendingTasks: readonly PendingTask[];
}

export interface WorkerStopDecision {
  readonly decision: 'block' | 'approve';
  /** One sentence, for people and for the agent. */
  readonly reason: string;
  readonly context: {
    /** What a hook that can wait does instead of answering immediately. */
    readonly step: StopStep;
    readonly idleMs: number;
    readonly idleLimitMs: number | null;
    /** Of its idle window; null when it never ends or has not begun. */
    readonly remainingMs: number | null;
    readonly pendingTasks: number;
  };
}

/** May this worker stop now? The answer of a hook that cannot wait; one that can carries out `context.step`. */
export function decideWorkerStop({ pendingTasks, ...facts }: WorkerStopFacts): WorkerStopDecision {
  const { now, worker } = facts;
  const step = nextStopStep({ ...facts, pending: pendingTasks.length });
  const idle = worker === null ? 0 : idleMs(worker, now);
  const idleLimitMs = worker?.idleLimitMs ?? null;
  const counts = worker !== null && worker.taskId === null && idleLimitMs !== null;
  const context = {
    step,
    idleMs: idle,
    idleLimitMs,
    remainingMs: counts ? Math.max(0, idleLimitMs - idle) : null,
    pendingTasks: pendingTasks.length,
  };
  const decision = step.type === 'approve' || step.type === 'abandon' ? 'approve' : 'block';
  return { decision, reason: reasonFor(step, { ...facts, pendingTasks }, context), context };
}

function reasonFor(step: StopStep, facts: WorkerStopFacts, context: WorkerStopDecision['context']): string {
  const { worker, held = null, now } = facts;
  if (step.type === 'claim') return pendingReason(facts.pendingTasks);
  if (step.type === 'wait') return waitingReason(context);
  if (step.type === 'approve') return approveReason(step, context.idleMs);
  const taskId = String(worker?.taskId ?? '');
  if (step.type === 'abandon') return abandonReason(taskId, worker?.stopBlocks ?? 0);
  return step.why === 'waitOn' ? waitOnReason(context.remainingMs) : heldReason({ taskId, held, now, step });
}
