import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import { end, type StepTaken } from './stepTaken.ts';
import type { Turn } from './turn.ts';

export const INTERRUPTED = '[Request interrupted by user]';
export const INTERRUPTED_FOR_TOOLS = '[Request interrupted by user for tool use]';

/** The user broke off while the model was answering: what came of the answer is already withdrawn. */
export async function* interruptStep(turn: Turn, _state: State): AsyncGenerator<QueryEvent, StepTaken> {
  yield turn.record(turn.make.user([{ type: 'text', text: INTERRUPTED }]));
  return end({ reason: 'aborted_streaming' });
}
