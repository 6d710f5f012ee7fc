import type { HookFields } from '../hooks/executeEvents.ts';
import { type ModelFailure, NO_USAGE } from '../models/types.ts';
import { asSentence } from '../system/sentence.ts';
import type { NextStep } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import { end, type StepTaken } from './stepTaken.ts';
import { tellAnswer } from './tellAnswer.ts';
import type { Terminal } from './terminal.ts';
import type { Turn } from './turn.ts';

/**
 * The model could not be asked. Stop hooks are not: error → block → retry → error would never end. StopFailure hooks
 * are told instead; whatever they answer changes nothing.
 */
export async function* failStep(
  turn: Turn,
  state: State,
  step: Extract<NextStep, { type: 'fail' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  if (step.message) yield* tellAnswer(turn, state, step.message);
  return yield* failTurn(turn, state, terminalFor(step.failure));
}

/** Ends a turn with a failure: its sentence stands where an answer would, and StopFailure hooks are told. */
export async function* failTurn(
  turn: Turn,
  state: State,
  terminal: Extract<Terminal, { failure: ModelFailure }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  const { failure } = terminal;
  yield turn.record(errorMessage(turn, state, failure));
  yield* runHooks(turn, {
    event: 'StopFailure',
    context: state.toolUseContext,
    input: () => stopFailureInput(failure),
  });
  turn.deps.logEvent('api_error', { errorClass: failure.errorClass, status: failure.status });
  return end(terminal);
}

/** Shown and kept, never sent to a model. */
function errorMessage(turn: Turn, state: State, failure: ModelFailure) {
  const id = `msg_${turn.deps.ids.uuid()}`;
  const content = [{ type: 'text', text: asSentence(failure.message) }] as const;
  const model = state.toolUseContext.model.id;
  return turn.make.assistant(
    { id, role: 'assistant', model, content, stop_reason: null, usage: NO_USAGE },
    { apiError: failure.errorClass },
  );
}

function stopFailureInput(failure: ModelFailure): HookFields<'StopFailure'> {
  return {
    error: failure.errorClass,
    ...(failure.details ? { error_details: failure.details } : {}),
    last_assistant_message: asSentence(failure.message),
  };
}

const REQUEST_TOO_LARGE = 413;

function terminalFor(failure: ModelFailure): Extract<Terminal, { failure: ModelFailure }> {
  if (failure.status === REQUEST_TOO_LARGE) return { reason: 'image_error', failure };
  return { reason: failure.promptTooLong ? 'prompt_too_long' : 'api_error', failure };
}
