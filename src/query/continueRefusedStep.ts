import type { NextStep } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import { next, type StepTaken } from './stepTaken.ts';
import { tellAnswer } from './tellAnswer.ts';
import { besideLast } from './tools/besideLast.ts';
import { failedEnd } from './tools/toolCallEnd.ts';
import type { Turn } from './turn.ts';

const REFUSED =
  'Your response above was stopped by a safety classifier — this is not a tool or API error. The rest of it was ' +
  'withheld, and tool calls in it that had not finished did not run. Do not produce that content again, even reworded.';

/** A safety classifier stopped the answer: what there is of it stays, its calls do not run, and the model may go on once. */
export async function* continueRefusedStep(
  turn: Turn,
  state: State,
  step: Extract<NextStep, { type: 'continueRefused' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  const { message, toolCalls } = step;
  const answer = message.message.content.length > 0 ? [message] : [];
  if (answer.length > 0) yield* tellAnswer(turn, state, message);
  const results = toolCalls.map((call) =>
    turn.record(turn.make.toolResult(failedEnd(call, 'Not run: a safety classifier stopped this response.').result)),
  );
  yield* results;
  yield turn.record(
    turn.make.system('informational', "The model's safety classifier stopped its answer; asking it to go on.", {
      level: 'warning',
    }),
  );
  const told = turn.record(turn.make.user([{ type: 'text', text: REFUSED }], { isMeta: true }));
  yield told;
  return next({
    ...state,
    messages: besideLast(state.messages.append(...answer, ...results), told),
    hasContinuedRefused: true,
    isRefusalOpen: true,
    pendingToolUseSummary: undefined,
    turnCount: state.turnCount + 1,
    transition: { reason: 'refusal_continuation' },
  });
}
