import type { ModelFailure } from '../../models/types.ts';
import {
  countRapidRefills,
  estimateTokens,
  MAX_AUTO_COMPACT_FAILURES,
  MAX_RAPID_REFILLS,
  RAPID_REFILL_REQUESTS,
  shouldAutoCompact,
} from '../../session/compaction.ts';
import { conversationOf } from '../../session/conversation.ts';
import type { Step } from '../decideNextStep.ts';
import { failStep, failTurn, interruptStep } from '../endSteps.ts';
import type { QueryEvent } from '../events.ts';
import { next, nextRequest, type RunningStep, type State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { AUTO_COMPACTION, compactConversation } from './compactConversation.ts';

/** Fits every window, so that a short question costs no extra request. */
const SURELY_FITS = 2_000;

/** Whether the size of the window is a guess and may matter. */
export function mustLearnWindow(turn: Turn, state: State): boolean {
  if (!turn.config.autoCompact || state.toolUseContext.model.learnWindow === undefined) return false;
  return state.turnCount > 0 || usedTokens(state) > SURELY_FITS;
}

export async function* learnWindow(turn: Turn, state: State): AsyncGenerator<QueryEvent, void> {
  const unknown = await state.toolUseContext.model.learnWindow?.(turn.signal);
  if (unknown !== undefined) yield turn.warn(unknown);
}

/** Before a request: is there still room? */
export function isFull(turn: Turn, state: State): boolean {
  if (!turn.config.autoCompact) return false;
  const { failures } = state.autoCompactTracking;
  const { contextWindow } = state.toolUseContext.model;
  return shouldAutoCompact({ usedTokens: usedTokens(state), contextWindow, failures });
}

/**
 * Makes room. A failed compaction is reported and the turn continues with what it has. One that does not help ends the
 * turn: whatever fills the window returns each time, and every round would cost two requests for nothing.
 */
export async function* compactFull(turn: Turn, state: State): RunningStep {
  const { failures, rapidRefills: before, compactedAt } = state.autoCompactTracking;
  const since = compactedAt === undefined ? undefined : state.turnCount - compactedAt;
  const rapidRefills = countRapidRefills(before, since);
  if (rapidRefills >= MAX_RAPID_REFILLS) {
    const failure = refillFailure(state.toolUseContext.model.contextWindow);
    return yield* failTurn(turn, state, { reason: 'rapid_refill_breaker', failure });
  }
  const compaction = yield* compactConversation(turn, state, AUTO_COMPACTION);
  if (compaction.type === 'compacted') {
    const tracking = { ...compaction.state.autoCompactTracking, rapidRefills };
    return next({ ...compaction.state, autoCompactTracking: tracking });
  }
  if (turn.signal.aborted) return next(state);
  const left = MAX_AUTO_COMPACT_FAILURES - failures - 1;
  const tries = left > 0 ? `${left} more tries.` : 'It stays off for this session.';
  const percent = Math.round((100 * usedTokens(state)) / state.toolUseContext.model.contextWindow);
  yield turn.warn(
    `The conversation fills ${percent}% of the context window and was not compacted: ${compaction.reason} ${tries}`,
  );
  return next({ ...state, autoCompactTracking: { ...state.autoCompactTracking, failures: failures + 1 } });
}

const refillFailure = (contextWindow: number): ModelFailure => ({
  errorClass: 'invalid_request',
  message: `The conversation filled the context window of ${contextWindow} tokens again within ${RAPID_REFILL_REQUESTS} requests of being compacted, ${MAX_RAPID_REFILLS} times in a row. A file or the output of a tool is probably too large for it: read it in smaller pieces, or set STOPGATE_CONTEXT_WINDOW when the model takes more`,
  retryable: false,
});

/** What the provider counted, plus an estimate of what was added since. */
function usedTokens(state: State): number {
  const { countedTokens, countedMessages } = state.autoCompactTracking;
  const conversation = conversationOf(state.messages);
  return countedTokens + estimateTokens(conversation, Math.min(countedMessages, conversation.length));
}

/** The provider refused the prompt as too long: compact once and retry. When that fails, the first error stands. */
export async function* compactAndRetryStep(turn: Turn, state: State, step: Step<'compactAndRetry'>): RunningStep {
  const compaction = yield* compactConversation(turn, state, AUTO_COMPACTION);
  if (compaction.type === 'compacted') {
    const transition = { reason: 'reactive_compact_retry' } as const;
    return nextRequest(compaction.state, transition, { hasAttemptedReactiveCompact: true });
  }
  if (turn.signal.aborted) return yield* interruptStep(turn, state);
  yield turn.warn(`Not compacted: ${compaction.reason}`);
  return yield* failStep(turn, state, { type: 'fail', failure: step.failure });
}
