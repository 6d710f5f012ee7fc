import { conversationOf } from '../session/conversation.ts';
import type { UserMessage } from '../session/messages.ts';
import { taskNotification } from '../tools/background/backgroundTasks.ts';
import { compactFull, isFull, learnWindow, mustLearnWindow } from './compaction/compactIfFull.ts';
import { budgetLimit } from './decideLimit.ts';
import type { QueryEvent } from './events.ts';
import { hookContexts, notificationText } from './hiddenMessages.ts';
import type { Person } from './person.ts';
import { titleField } from './prompt/titleSession.ts';
import { runHooks } from './runHooks.ts';
import { end, next, type RunningStep, type State } from './state.ts';
import { withPermissionUpdates } from './tools/toolCallEnd.ts';
import type { Turn } from './turn.ts';

/** Whether anything must happen before the next request. Usually nothing must, and a generator would cost more than to ask. */
export function mustPrepare(turn: Turn, state: State, hookTexts: readonly string[]): boolean {
  return (
    hookTexts.length > 0 ||
    hasEndedTasks(state) ||
    personOf(turn, state) !== undefined ||
    mustLearnWindow(turn, state) ||
    isFull(turn, state)
  );
}

/** Makes room, then delivers what background hooks left for the model, ended tasks, and what the person chose and typed. */
export async function* prepareRequest(turn: Turn, before: State, hookTexts: readonly string[]): RunningStep {
  let state = before;
  if (mustLearnWindow(turn, state)) yield* learnWindow(turn, state);
  if (isFull(turn, state)) {
    const room = yield* compactFull(turn, state);
    if (room.type === 'end') return room;
    state = room.state;
    const spent = budgetLimit(turn.config, turn.deps.ledger);
    if (spent) return end(spent);
  }
  const texts = [...hookTexts, ...turn.deps.background.take()].map((text) => turn.record(turn.make.hidden(text)));
  yield* texts;
  state = { ...state, messages: state.messages.append(...texts) };
  if (hasEndedTasks(state)) state = yield* deliverEndedTasks(turn, state);
  const person = personOf(turn, state);
  return next(person ? yield* followPerson(turn, person, state) : state);
}

/** Whether a background task of this agent has ended and was not reported to it yet. */
function hasEndedTasks({ toolUseContext: { toolServices, agentId } }: State): boolean {
  return toolServices.background.hasEnded(agentId);
}

/** No person steers a subagent. */
const personOf = ({ deps }: Turn, { toolUseContext }: State): Person | undefined =>
  toolUseContext.agentId === undefined ? deps.person : undefined;

async function* deliverEndedTasks(turn: Turn, before: State): AsyncGenerator<QueryEvent, State> {
  const { background } = before.toolUseContext.toolServices;
  let state = before;
  for (const ended of background.takeEnded(before.toolUseContext.agentId)) {
    const prompt = taskNotification(ended);
    const message = () => turn.make.hidden(notificationText(prompt));
    state = yield* deliverPrompt(turn, state, { prompt, message, refused: `withheld the end of ${ended.task.id}` });
  }
  return state;
}

async function* followPerson(turn: Turn, person: Person, before: State): AsyncGenerator<QueryEvent, State> {
  let state = withPermissionUpdates(before, person.takePermissionUpdates());
  for (const prompt of person.takeSteering()) {
    const message = () => turn.make.user(prompt);
    state = yield* deliverPrompt(turn, state, { prompt, message, refused: 'refused what you typed' });
  }
  const { session, model } = state.toolUseContext;
  const messages = conversationOf(state.messages);
  person.seesRequest({ sessionId: session.id, model, system: turn.system, tools: turn.toolDefinitions, messages });
  return state;
}

interface Delivery {
  readonly prompt: string;
  readonly message: () => UserMessage;
  /** What a hook did that kept it from the model. */
  readonly refused: string;
}

/** Something goes into the conversation during a turn, unless a UserPromptSubmit hook refuses it. */
async function* deliverPrompt(
  turn: Turn,
  state: State,
  { prompt, message, refused }: Delivery,
): AsyncGenerator<QueryEvent, State> {
  const { toolUseContext: context, messages } = state;
  const verdict = yield* runHooks(turn, {
    event: 'UserPromptSubmit',
    context,
    input: () => ({ prompt, ...titleField(turn) }),
  });
  const refusal = verdict.blocks[0] ?? verdict.prevented;
  if (refusal !== undefined && refusal !== null) {
    yield turn.warn(`A UserPromptSubmit hook ${refused}: ${refusal}`);
    return state;
  }
  const delivered = [message(), ...hookContexts(turn, verdict)].map(turn.record);
  yield { type: 'submitted', messages: delivered };
  return { ...state, messages: messages.append(...delivered) };
}
