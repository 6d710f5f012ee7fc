import type { NextStep } from '../decideNextStep.ts';
import type { QueryEvent } from '../events.ts';
import { failStep } from '../failStep.ts';
import { interruptStep } from '../interruptStep.ts';
import type { State } from '../state.ts';
import { next, type StepTaken } from '../stepTaken.ts';
import type { Turn } from '../turn.ts';
import { AUTO_COMPACTION, compactConversation } from './compactConversation.ts';

/** The provider says the prompt is too long: compact once and ask again. When that fails, the first error stands. */
export async function* compactAndRetryStep(
  turn: Turn,
  state: State,
  step: Extract<NextStep, { type: 'compactAndRetry' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  const compaction = yield* compactConversation(turn, state, AUTO_COMPACTION);
  if (compaction.type === 'compacted') {
    return next({
      ...compaction.state,
      hasAttemptedReactiveCompact: true,
      pendingToolUseSummary: undefined,
      turnCount: state.turnCount + 1,
      transition: { reason: 'reactive_compact_retry' },
    });
  }
  if (turn.signal.aborted) return yield* interruptStep(turn, state);
  yield turn.record(turn.make.system('informational', `Not compacted: ${compaction.reason}`, { level: 'warning' }));
  return yield* failStep(turn, state, { type: 'fail', failure: step.failure });
}
