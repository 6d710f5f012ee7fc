import { askForOutputStep } from './askForOutputStep.ts';
import { compactAndRetryStep } from './compaction/compactAndRetryStep.ts';
import { continueRefusedStep } from './continueRefusedStep.ts';
import type { NextStep } from './decideNextStep.ts';
import { endAtLimitStep } from './endAtLimitStep.ts';
import type { QueryEvent } from './events.ts';
import { failStep } from './failStep.ts';
import { interruptStep } from './interruptStep.ts';
import { recoverOutputStep } from './recoverOutputStep.ts';
import type { State } from './state.ts';
import type { StepTaken } from './stepTaken.ts';
import { checkStopStep } from './stop/checkStopStep.ts';
import { runToolsStep } from './tools/runToolsStep.ts';
import type { Turn } from './turn.ts';

type Steps = {
  readonly [Type in NextStep['type']]: (
    turn: Turn,
    state: State,
    step: Extract<NextStep, { type: Type }>,
  ) => AsyncGenerator<QueryEvent, StepTaken>;
};

/** Everything that can follow an answer; one file each. */
const STEPS: Steps = {
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

export function takeStep(turn: Turn, state: State, step: NextStep): AsyncGenerator<QueryEvent, StepTaken> {
  // TypeScript cannot see that the row and the step have the same type; the table's own type says it.
  const take = STEPS[step.type] as (turn: Turn, state: State, step: NextStep) => AsyncGenerator<QueryEvent, StepTaken>;
  return take(turn, state, step);
}
