import type { RequestPrompt } from '../hooks/types.ts';
import type { PermissionUpdate } from '../schemas/permissionAnswer.ts';
import { conversationOf } from '../session/conversation.ts';
import type { QueryEvent } from './events.ts';
import { hookContexts } from './hiddenMessages.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import type { CacheSafeParams } from './stop/stopWork.ts';
import { withPermissionUpdates } from './tools/toolCallEnd.ts';
import type { Turn } from './turn.ts';

/** The person in front of a session. A headless one has none. */
export interface Person {
  /** What was typed for the running turn, since the last call. */
  takeSteering(): readonly string[];
  /** What they changed of the permissions while it works, since the last call. */
  takePermissionUpdates(): readonly PermissionUpdate[];
  /** Called before each request of the main agent: side questions start with the same bytes. */
  seesRequest(request: CacheSafeParams): void;
  /** Asks about one call; several agents may ask at a time. */
  askPermission(question: PermissionQuestion, signal: AbortSignal): Promise<PersonsAnswer>;
  /** Asks for a hook. */
  readonly requestPrompt?: RequestPrompt;
}

export interface PermissionQuestion {
  readonly toolName: string;
  readonly input: unknown;
  /** Why it is asked. */
  readonly reason: string;
  /** Rules that would allow this call from now on; empty when there are none. */
  readonly suggestion: readonly string[];
  /** The subagent that asks; undefined for the main agent. */
  readonly agentId: string | undefined;
  /** Whether these changes make the question superfluous. */
  isAllowedAfter(updates: readonly PermissionUpdate[]): boolean;
}

export type PersonsAnswer =
  | { readonly type: 'allow'; readonly updates?: readonly PermissionUpdate[] }
  /** `ends`: the turn ends too, so that the person can say what to do instead. */
  | { readonly type: 'deny'; readonly reason?: string; readonly ends?: boolean };

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
