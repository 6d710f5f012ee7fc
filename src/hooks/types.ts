import type { HookEventName } from '../schemas/hookEventNames.ts';
import type { HookPrompt } from '../schemas/hookOutputs.ts';

export type { HookEventName } from '../schemas/hookEventNames.ts';
export { HOOK_EVENTS } from '../schemas/hookEventNames.ts';

/** The session and agent that an event belongs to; part of every hook's input. */
export interface HookSubject {
  readonly sessionId: string;
  readonly transcriptPath: string;
  readonly cwd: string;
  readonly permissionMode?: string;
  readonly promptId?: string;
  /** The model's effort. */
  readonly effort?: string;
  readonly agentId?: string;
  readonly agentType?: string;
}

export interface HookRequest {
  readonly event: HookEventName;
  /** The event's own fields, named as the protocol names them. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly subject: HookSubject;
  /** More fields for one hook only, by its name in messages. */
  readonly ownInput?: (hook: string) => Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** The tool call that the hooks' messages belong to; `tool_use_id` of the input by default. */
  readonly toolUseId?: string;
  /** Timeout of hooks that set none; the event's own by default. */
  readonly timeoutMs?: number;
  /** Asks the person for a hook with `"asksUser": true`; without it such a hook gets no answer. */
  readonly requestPrompt?: RequestPrompt;
}

/** Resolves to the key of the chosen option; null when the person does not answer. */
export type RequestPrompt = (question: HookPrompt, signal: AbortSignal) => Promise<string | null>;

/** What a person may watch while hooks run. */
export type HookEvent =
  | { readonly type: 'progress'; readonly data: Readonly<Record<string, unknown>> }
  | { readonly type: 'attachment'; readonly attachment: { readonly type: string } & Readonly<Record<string, unknown>> }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning'; readonly text: string };

export interface HookPermission {
  readonly decision: 'allow' | 'deny' | 'ask' | 'defer';
  readonly reason: string;
}

/** The result of all hooks of an event. Its texts are already worded for the model. */
export interface HookVerdict {
  /** "Not yet, continue": one text per blocking hook. */
  readonly blocks: readonly string[];
  /** "End now": the stop reason of a hook with `continue: false`. */
  readonly prevented: string | null;
  /** Context a hook adds for the model. */
  readonly contexts: readonly string[];
  readonly permission: HookPermission | null;
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  readonly updatedToolOutput?: unknown;
  /** Fields of `hookSpecificOutput` that only one event knows (watchPaths, displayContent, worktreePath, retry …). */
  readonly specific: Readonly<Record<string, unknown>>;
}

export interface HookRunner {
  /** False when nothing is configured for the event, so that the caller need not build its input. */
  has(event: HookEventName): boolean;
  run(request: HookRequest): AsyncGenerator<HookEvent, HookVerdict>;
}

export const NO_VERDICT: HookVerdict = { blocks: [], prevented: null, contexts: [], permission: null, specific: {} };

export const noHooks: HookRunner = {
  has: () => false,
  // biome-ignore lint/correctness/useYield: nothing to watch when nothing runs
  run: async function* () {
    return NO_VERDICT;
  },
};
