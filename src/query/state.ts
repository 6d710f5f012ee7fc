import type { Message } from '../session/messages.ts';
import { AppendOnlyList } from '../system/appendOnly.ts';
import type { QueryEvent } from './events.ts';
import { NO_STOPS, type StopHistory } from './stop/stopHistory.ts';
import type { Terminal, Transition } from './terminal.ts';
import type { ToolUseContext } from './toolUseContext.ts';

export interface AutoCompactTracking {
  /** Tokens the provider counted for the conversation's first `countedMessages` messages. */
  readonly countedTokens: number;
  readonly countedMessages: number;
  /** In a row; at three, auto-compact stays off for the session. */
  readonly failures: number;
  /** Requests sent when the conversation was last compacted; undefined when it was not in this turn. */
  readonly compactedAt?: number;
  /** Compactions in a row after which the window was full again within a few requests. */
  readonly rapidRefills: number;
}

/** Everything the loop remembers from one request to the next. Replaced whole, never changed. */
export interface State {
  readonly messages: AppendOnlyList<Message>;
  readonly toolUseContext: ToolUseContext;
  readonly autoCompactTracking: AutoCompactTracking;
  readonly maxOutputTokensRecoveryCount: number;
  readonly hasAttemptedReactiveCompact: boolean;
  /** The last answer had nothing to show and was requested again. */
  readonly hasAskedForOutput: boolean;
  /** An answer of this turn was refused and continued; a second refusal ends it. */
  readonly hasContinuedRefused: boolean;
  /** A refused answer was continued, and neither text nor a call has arrived since. */
  readonly isRefusalOpen: boolean;
  readonly maxOutputTokensOverride: number | undefined;
  /** What the last round of tools did; emitted when the next request starts. */
  readonly pendingToolUseSummary: string | undefined;
  readonly stopHookActive: boolean;
  /** Blocked stops in a row with no tool call between them. */
  readonly stopHookBlocks: number;
  readonly stops: StopHistory;
  /** Rounds of tools in a row whose answer had no text for the person. */
  readonly silentRounds: number;
  /** Model requests so far. */
  readonly turnCount: number;
  /** Where this turn's own messages start in `messages`. */
  readonly turnStartsAt: number;
  /** Why this iteration runs; undefined for the first. */
  readonly transition: Transition | undefined;
}

export const FRESH_COMPACT_TRACKING: AutoCompactTracking = {
  countedTokens: 0,
  countedMessages: 0,
  failures: 0,
  rapidRefills: 0,
};

export function initialState(messages: Iterable<Message>, toolUseContext: ToolUseContext): State {
  const list = AppendOnlyList.of(messages);
  return {
    messages: list,
    turnStartsAt: list.length,
    toolUseContext,
    autoCompactTracking: FRESH_COMPACT_TRACKING,
    maxOutputTokensRecoveryCount: 0,
    hasAttemptedReactiveCompact: false,
    hasAskedForOutput: false,
    hasContinuedRefused: false,
    isRefusalOpen: false,
    maxOutputTokensOverride: undefined,
    pendingToolUseSummary: undefined,
    stopHookActive: false,
    stopHookBlocks: 0,
    stops: NO_STOPS,
    silentRounds: 0,
    turnCount: 0,
    transition: undefined,
  };
}

/** The loop continues with a new state, or the turn is over. */
export type StepTaken =
  | { readonly type: 'next'; readonly state: State }
  | { readonly type: 'end'; readonly terminal: Terminal };

/** A step while it runs. */
export type RunningStep = AsyncGenerator<QueryEvent, StepTaken>;

export const end = (terminal: Terminal): StepTaken => ({ type: 'end', terminal });
export const next = (state: State): StepTaken => ({ type: 'next', state });

/** The model gets another request, for the reason given. */
export const nextRequest = (state: State, transition: Transition, changes: Partial<State>): StepTaken =>
  next({ ...state, pendingToolUseSummary: undefined, turnCount: state.turnCount + 1, transition, ...changes });
