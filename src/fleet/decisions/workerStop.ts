import type { Task } from '../../store/types.ts';
import { idleMs, remainingIdleMs } from './idleTime.ts';
import { answerReason, pendingReason, waitingReason } from './stopReasons.ts';
import { nextStopStep, type StopStep, type StopStepFacts } from './stopStep.ts';

export interface WorkerStopFacts extends Omit<StopStepFacts, 'pending'> {
  /** What this worker could claim now, best first: nothing blocked, delayed or meant for others. */
  readonly pendingTasks: readonly Pick<Task, 'id' | 'title'>[];
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
  const whole = { ...facts, pending: pendingTasks.length };
  const step = nextStopStep(whole);
  const idle = worker === null ? 0 : idleMs(worker, now);
  const remainingMs = worker?.taskId === null ? remainingIdleMs(worker, now) : null;
  const reason =
    step.type === 'claim'
      ? pendingReason(pendingTasks)
      : step.type === 'wait'
        ? waitingReason(idle, remainingMs)
        : answerReason(step, whole);
  return {
    decision: step.type === 'approve' || step.type === 'abandon' ? 'approve' : 'block',
    reason,
    context: {
      step,
      idleMs: idle,
      idleLimitMs: worker?.idleLimitMs ?? null,
      remainingMs,
      pendingTasks: pendingTasks.length,
    },
  };
}
