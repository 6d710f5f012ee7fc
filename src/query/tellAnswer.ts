import { textOf } from '../session/conversation.ts';
import type { AssistantMessage } from '../session/messages.ts';
import type { QueryEvent } from './events.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import { type Telling, tell } from './telling.ts';
import type { Turn } from './turn.ts';

/**
 * Writes an answer down and tells it. MessageDisplay hooks may put other words on the screen; what the model said stays
 * what it said.
 */
export function tellAnswer(turn: Turn, state: State, message: AssistantMessage): Telling<void> {
  turn.record(message);
  const delta = turn.deps.hooks.has('MessageDisplay') ? textOf(message) : '';
  return delta ? display(turn, state, { message, delta }) : tell(message);
}

async function* display(
  turn: Turn,
  state: State,
  { message, delta }: { readonly message: AssistantMessage; readonly delta: string },
): AsyncGenerator<QueryEvent, void> {
  const { session } = state.toolUseContext;
  const verdict = yield* runHooks(turn, {
    event: 'MessageDisplay',
    context: state.toolUseContext,
    input: () => ({ turn_id: session.promptId ?? session.id, message_id: message.uuid, index: 0, final: true, delta }),
  });
  const { displayContent } = verdict.specific;
  yield typeof displayContent === 'string' ? { ...message, displayText: displayContent } : message;
}
