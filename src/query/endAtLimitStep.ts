import type { NextStep } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import { end, type StepTaken } from './stepTaken.ts';
import { tellAnswer } from './tellAnswer.ts';
import { admitCall } from './tools/admitCall.ts';
import { prepareCall } from './tools/prepareCall.ts';
import { failedEnd } from './tools/toolCallEnd.ts';
import { toolContextFor } from './tools/toolContextFor.ts';
import type { Turn } from './turn.ts';

/**
 * The answer used up the budget. It is kept, none of its calls runs, and no Stop hook is asked: nothing is left to go on
 * with. PreToolUse hooks see the first call, as in Claude Code.
 */
export async function* endAtLimitStep(
  turn: Turn,
  state: State,
  step: Extract<NextStep, { type: 'endAtLimit' }>,
): AsyncGenerator<QueryEvent, StepTaken> {
  if (step.message) yield* tellAnswer(turn, state, step.message);
  const [first] = step.toolCalls;
  const prepared = first && prepareCall(first, state.toolUseContext.tools);
  if (prepared?.type === 'ready' && turn.deps.hooks.has('PreToolUse')) {
    yield* admitCall(turn, state, prepared, toolContextFor(turn, state, prepared.call.id));
  }
  for (const call of step.toolCalls) {
    yield turn.record(turn.make.toolResult(failedEnd(call, 'Not run: the budget is spent.').result));
  }
  return end(step.terminal);
}
