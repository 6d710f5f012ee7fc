import { compactAndRetryStep } from './compaction/compactIfFull.ts';
import type { NextStep, Step } from './decideNextStep.ts';
import { endAtLimitStep, failStep, interruptStep } from './endSteps.ts';
import { besideLast } from './hiddenMessages.ts';
import { emitAnswer } from './runHooks.ts';
import { nextRequest, type RunningStep, type State } from './state.ts';
import { checkStopStep } from './stop/checkStopStep.ts';
import { runToolsStep } from './tools/runToolsStep.ts';
import { failedEnd } from './tools/toolCallEnd.ts';
import type { Turn } from './turn.ts';

/** Everything that can follow an answer. */
const STEPS: { readonly [Type in NextStep['type']]: (turn: Turn, state: State, step: Step<Type>) => RunningStep } = {
  runTools: runToolsStep,
  recoverOutput: recoverOutputStep,
  askForOutput: askForOutputStep,
  continueRefused: continueRefusedStep,
  endAtLimit: endAtLimitStep,
  compactAndRetry: compactAndRetryStep,
  fail: failStep,
  checkStop: checkStopStep,
  interrupt: interruptStep,
};

export function takeStep(turn: Turn, state: State, step: NextStep): RunningStep {
  // TypeScript cannot see that the row and the step have the same type; the table's own type ensures it.
  const take = STEPS[step.type] as (turn: Turn, state: State, step: NextStep) => RunningStep;
  return take(turn, state, step);
}

const RESUME =
  'Your answer was cut off at the output token limit. Go on exactly where it broke off: no apology, no recap. ' +
  'Split what is left into smaller pieces.';

/** The answer was cut at the output limit: it stays, and a hidden message asks for the rest. */
async function* recoverOutputStep(turn: Turn, state: State, step: Step<'recoverOutput'>): RunningStep {
  const { message, attempt } = step;
  yield* emitAnswer(turn, state, message);
  const resume = turn.record(turn.make.hidden(RESUME));
  yield resume;
  return nextRequest(
    state,
    { reason: 'max_output_tokens_recovery', attempt },
    { messages: state.messages.append(message, resume), maxOutputTokensRecoveryCount: attempt, silentRounds: 0 },
  );
}

const NUDGE = '[Your previous response had no visible output. Please continue and produce a user-visible response.]';

/** An answer without text or calls is dropped, because no provider accepts it in a history, and requested once more. */
async function* askForOutputStep(turn: Turn, state: State): RunningStep {
  const nudge = turn.record(turn.make.hidden(NUDGE));
  yield nudge;
  return nextRequest(
    state,
    { reason: 'empty_answer_retry' },
    { messages: besideLast(state.messages, nudge), hasAskedForOutput: true },
  );
}

const REFUSED =
  'Your response above was stopped by a safety classifier — this is not a tool or API error. The rest of it was ' +
  'withheld, and tool calls in it that had not finished did not run. Do not produce that content again, even reworded.';

/** A safety classifier stopped the answer: the received part stays, its calls do not run, and the model may continue once. */
async function* continueRefusedStep(turn: Turn, state: State, step: Step<'continueRefused'>): RunningStep {
  const { message, toolCalls } = step;
  const answer = message.message.content.length > 0 ? [message] : [];
  if (answer.length > 0) yield* emitAnswer(turn, state, message);
  const results = toolCalls.map((call) =>
    turn.record(turn.make.toolResult(failedEnd(call, 'Not run: a safety classifier stopped this response.').result)),
  );
  yield* results;
  yield turn.warn("The model's safety classifier stopped its answer; asking it to continue.");
  const refused = turn.record(turn.make.hidden(REFUSED));
  yield refused;
  return nextRequest(
    state,
    { reason: 'refusal_continuation' },
    {
      messages: besideLast(state.messages.append(...answer, ...results), refused),
      hasContinuedRefused: true,
      isRefusalOpen: true,
    },
  );
}
