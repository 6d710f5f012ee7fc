import { fireHooks, type HookFields } from '../hooks/executeEvents.ts';
import { type HookEventName, type HookRequest, type HookVerdict, NO_VERDICT } from '../hooks/types.ts';
import { textOf } from '../session/conversation.ts';
import type { AssistantMessage } from '../session/messages.ts';
import { type Emitting, emit, immediately, type QueryEvent } from './events.ts';
import type { State } from './state.ts';
import { hookSubject, type ToolUseContext } from './toolUseContext.ts';
import type { Turn } from './turn.ts';

export interface HookCall<Name extends HookEventName = HookEventName> {
  readonly event: Name;
  /** Built only when a hook is configured. */
  readonly input: () => NoInfer<HookFields<Name>>;
  readonly context: ToolUseContext;
  readonly toolUseId?: string;
  /** More fields for one hook, by its name. */
  readonly ownInput?: HookRequest['ownInput'];
}

/** Runs the hooks of one event, yields what they show while they run, and returns their verdict. */
export function runHooks<Name extends HookEventName>(turn: Turn, call: HookCall<Name>): Emitting<HookVerdict> {
  return turn.deps.hooks.has(call.event) ? run(turn, call) : immediately(NO_VERDICT);
}

async function* run<Name extends HookEventName>(
  turn: Turn,
  { event, input, context, toolUseId, ownInput }: HookCall<Name>,
): AsyncGenerator<QueryEvent, HookVerdict> {
  const running = fireHooks(event, input(), {
    runner: turn.deps.hooks,
    subject: hookSubject(context),
    signal: turn.signal,
    ...(toolUseId !== undefined && { toolUseId }),
    ...(ownInput !== undefined && { ownInput }),
    ...(turn.deps.person?.requestPrompt && { requestPrompt: turn.deps.person.requestPrompt }),
  });
  while (true) {
    const { done, value } = await running.next();
    if (done) {
      const { watchPaths } = value.specific;
      if (Array.isArray(watchPaths)) turn.deps.watchPaths(watchPaths.filter((path) => typeof path === 'string'));
      return value;
    }
    if (value.type === 'progress') yield { type: 'hook_progress', data: value.data };
    else if (value.type === 'attachment') yield turn.record(turn.make.attachment(value.attachment));
    else yield turn.record(turn.make.system('informational', value.text, { level: value.level }));
  }
}

/** Records and emits an answer. MessageDisplay hooks may change what the screen shows, not what the model wrote. */
export function emitAnswer(turn: Turn, state: State, message: AssistantMessage): Emitting<void> {
  turn.record(message);
  const delta = turn.deps.hooks.has('MessageDisplay') ? textOf(message) : '';
  return delta ? display(turn, state, { message, delta }) : emit(message);
}

async function* display(
  turn: Turn,
  { toolUseContext: context }: State,
  { message, delta }: { readonly message: AssistantMessage; readonly delta: string },
): AsyncGenerator<QueryEvent, void> {
  const { session } = context;
  const verdict = yield* runHooks(turn, {
    event: 'MessageDisplay',
    context,
    input: () => ({ turn_id: session.promptId ?? session.id, message_id: message.uuid, index: 0, final: true, delta }),
  });
  const { displayContent } = verdict.specific;
  yield typeof displayContent === 'string' ? { ...message, displayText: displayContent } : message;
}
