import type { NextStep } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import { next, type StepTaken } from './stepTaken.ts';
import { tellAnswer } from './tellAnswer.ts';
import type { Turn } from './turn.ts';

const RESUME =
  'Your answer was cut off at the output token limit. Go on exactly where it broke off: no apology, no recap. ' +
  'Split what is left into smaller pieces.';

/** The answer was cut at the output limit: it stays, and a hidden message asks for the rest. */
export async function* recoverOutputStep(
  turn: Turn,
  state: State,
  step: Extract<NextStep, { type: 'recoverOutput' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  yield* tellAnswer(turn, state, step.message);
  const resume = turn.record(turn.make.user([{ type: 'text', text: RESUME }], { isMeta: true }));
  yield resume;
  return next({
    ...state,
    messages: state.messages.append(step.message, resume),
    maxOutputTokensRecoveryCount: step.attempt,
    silentRounds: 0,
    pendingToolUseSummary: undefined,
    turnCount: state.turnCount + 1,
    transition: { reason: 'max_output_tokens_recovery', attempt: step.attempt },
  });
}
