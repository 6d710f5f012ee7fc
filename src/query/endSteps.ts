import { type ModelFailure, NO_USAGE } from '../models/types.ts';
import { asSentence } from '../system/sentence.ts';
import type { Step } from './decideNextStep.ts';
import { emitAnswer, runHooks } from './runHooks.ts';
import { end, type RunningStep, type State } from './state.ts';
import { INTERRUPTED, type Terminal } from './terminal.ts';
import { admitCall } from './tools/admitCall.ts';
import { prepareCall } from './tools/toolBatches.ts';
import { failedEnd } from './tools/toolCallEnd.ts';
import { toolContextFor } from './tools/toolContextFor.ts';
import type { Turn } from './turn.ts';

type FailedTerminal = Extract<Terminal, { failure: ModelFailure }>;

/** The request failed. Stop hooks do not run: error → block → retry → error would never end. */
export async function* failStep(turn: Turn, state: State, step: Step<'fail'>): RunningStep {
  if (step.message) yield* emitAnswer(turn, state, step.message);
  return yield* failTurn(turn, state, terminalFor(step.failure));
}

/** Ends a turn with a failure: its sentence replaces the answer, and StopFailure hooks run; they cannot change anything. */
export async function* failTurn(turn: Turn, state: State, terminal: FailedTerminal): RunningStep {
  const { failure } = terminal;
  const text = asSentence(failure.message);
  // shown and kept, never sent to a model
  const message = { id: `msg_${turn.deps.ids.uuid()}`, model: state.toolUseContext.model.id, usage: NO_USAGE };
  yield turn.record(
    turn.make.assistant(
      { ...message, role: 'assistant', content: [{ type: 'text', text }], stop_reason: null },
      { apiError: failure.errorClass },
    ),
  );
  const details = failure.details ? { error_details: failure.details } : {};
  yield* runHooks(turn, {
    event: 'StopFailure',
    context: state.toolUseContext,
    input: () => ({ error: failure.errorClass, ...details, last_assistant_message: text }),
  });
  turn.deps.logEvent('api_error', { errorClass: failure.errorClass, status: failure.status });
  return end(terminal);
}

const REQUEST_TOO_LARGE = 413;

function terminalFor(failure: ModelFailure): FailedTerminal {
  if (failure.status === REQUEST_TOO_LARGE) return { reason: 'image_error', failure };
  return { reason: failure.promptTooLong ? 'prompt_too_long' : 'api_error', failure };
}

/**
 * The answer used up the budget. It is kept, and neither its calls nor Stop hooks run: nothing is left to continue with.
 * PreToolUse hooks see the first call, as in Claude Code.
 */
export async function* endAtLimitStep(turn: Turn, state: State, step: Step<'endAtLimit'>): RunningStep {
  if (step.message) yield* emitAnswer(turn, state, step.message);
  const { toolCalls = [] } = step;
  const [first] = toolCalls;
  const prepared = first && prepareCall(first, state.toolUseContext.tools);
  if (prepared?.type === 'ready' && turn.deps.hooks.has('PreToolUse')) {
    yield* admitCall(turn, state, prepared, toolContextFor(turn, state, prepared.call.id));
  }
  for (const call of toolCalls) {
    yield turn.record(turn.make.toolResult(failedEnd(call, 'Not run: the budget is spent.').result));
  }
  return end(step.terminal);
}

/** The user interrupted while the model was answering; the partial answer is already withdrawn. */
export async function* interruptStep(turn: Turn, _state: State): RunningStep {
  yield turn.record(turn.make.user([{ type: 'text', text: INTERRUPTED }]));
  return end({ reason: 'aborted_streaming' });
}
