import type { QueryEvent } from './events.ts';
import type { State } from './state.ts';
import { next, type StepTaken } from './stepTaken.ts';
import { besideLast } from './tools/besideLast.ts';
import type { Turn } from './turn.ts';

const NUDGE = '[Your previous response had no visible output. Please continue and produce a user-visible response.]';

/** An answer without text or calls is dropped, because no provider accepts it in a history, and requested once more. */
export async function* askForOutputStep(turn: Turn, state: State): AsyncGenerator<QueryEvent, StepTaken> {
  const nudge = turn.record(turn.make.user([{ type: 'text', text: NUDGE }], { isMeta: true }));
  yield nudge;
  return next({
    ...state,
    messages: besideLast(state.messages, nudge),
    hasAskedForOutput: true,
    pendingToolUseSummary: undefined,
    turnCount: state.turnCount + 1,
    transition: { reason: 'empty_answer_retry' },
  });
}
