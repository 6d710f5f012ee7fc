import { conversationOf } from '../session/conversation.ts';
import type { QueryEvent } from './events.ts';
import { hookContexts } from './hiddenMessages.ts';
import type { Person } from './person.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import { withPermissionUpdates } from './tools/toolCallEnd.ts';
import type { Turn } from './turn.ts';

/** Before a request: what the person chose and typed meanwhile. */
export async function* followPerson(turn: Turn, person: Person, before: State): AsyncGenerator<QueryEvent, State> {
  const updated = withPermissionUpdates(before, person.takePermissionUpdates());
  const typed = person.takeSteering();
  const state = typed.length === 0 ? updated : yield* deliverSteering(turn, updated, typed);
  const { session, model } = state.toolUseContext;
  const messages = conversationOf(state.messages);
  person.seesRequest({ sessionId: session.id, model, system: turn.system, tools: turn.toolDefinitions, messages });
  return state;
}

/** What the person typed meanwhile goes into the conversation. A UserPromptSubmit hook may refuse it. */
async function* deliverSteering(turn: Turn, state: State, texts: readonly string[]): AsyncGenerator<QueryEvent, State> {
  const { toolUseContext: context } = state;
  let { messages } = state;
  for (const prompt of texts) {
    const verdict = yield* runHooks(turn, { event: 'UserPromptSubmit', context, input: () => ({ prompt }) });
    const refusal = verdict.blocks[0] ?? verdict.prevented;
    if (refusal !== undefined && refusal !== null) {
      yield turn.warn(`A UserPromptSubmit hook refused what you typed: ${refusal}`);
      continue;
    }
    const delivered = [turn.make.user(prompt), ...hookContexts(turn, verdict)].map(turn.record);
    yield { type: 'submitted', messages: delivered };
    messages = messages.append(...delivered);
  }
  return { ...state, messages };
}
