import type { RequestPrompt } from '../hooks/types.ts';
import type { PermissionUpdate } from '../schemas/permissionAnswer.ts';
import type { QueryEvent } from './events.ts';
import { hookContexts } from './hiddenMessages.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import type { Turn } from './turn.ts';

/** The person in front of a session. A headless one has none. */
export interface Person {
  /** What was typed for the running turn, since the last call. */
  takeSteering(): readonly string[];
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
  /** Rules that would allow such calls from now on, with commas between; undefined when there is none. */
  readonly suggestion: string | undefined;
  /** The subagent that asks; undefined for the main agent. */
  readonly agentId: string | undefined;
}

export type PersonsAnswer =
  | { readonly type: 'allow'; readonly updates?: readonly PermissionUpdate[] }
  /** `ends`: the turn ends too, so that the person can say what to do instead. */
  | { readonly type: 'deny'; readonly reason?: string; readonly ends?: boolean };

/** Before a request: what the person typed meanwhile goes into the conversation. A UserPromptSubmit hook may refuse it. */
export async function* deliverSteering(
  turn: Turn,
  state: State,
  texts: readonly string[],
): AsyncGenerator<QueryEvent, State> {
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
