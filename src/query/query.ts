import { withoutForeignThinking } from '../session/foreignThinking.ts';
import { mustPrepare, prepareRequest } from './beforeRequest.ts';
import { budgetLimit, decideLimit } from './decideLimit.ts';
import { decideNextStep } from './decideNextStep.ts';
import type { QueryEvent } from './events.ts';
import { withContext } from './hiddenMessages.ts';
import type { QueryParams } from './params.ts';
import { initialState } from './state.ts';
import { takeStep } from './steps.ts';
import { emitBudget } from './stop/checkStopStep.ts';
import { streamReply } from './streamReply.ts';
import type { Terminal } from './terminal.ts';
import { cleanUpTurn, startTurn } from './turn.ts';

/**
 * One turn: from a user's message until the agent may stop. Yields what a screen or a script shows, returns how it
 * ended. Each round of the loop is one model request; what follows an answer is decided in one place
 * (`decideNextStep`) and done in another (`takeStep`).
 */
export async function* query(params: QueryParams): AsyncGenerator<QueryEvent, Terminal> {
  const own = new AbortController();
  const turn = startTurn({ ...params, query, signal: own.signal });
  const abort = () => own.abort();
  const { signal } = params.toolUseContext;
  if (signal.aborted) abort();
  // forwarded by hand: reading a combined signal is five times as slow, and every step reads it
  signal.addEventListener('abort', abort, { once: true });
  const messages = withoutForeignThinking(params.messages, params.toolUseContext.model.id);
  let state = initialState(withContext(turn, messages), params.toolUseContext);
  try {
    yield* emitBudget(turn);
    while (true) {
      const over = decideLimit(turn.config, state.turnCount, turn.deps.ledger);
      if (over) return over;

      const hookTexts = turn.deps.background.take();
      if (mustPrepare(turn, state, hookTexts)) {
        const prepared = yield* prepareRequest(turn, state, hookTexts);
        if (prepared.type === 'end') return prepared.terminal;
        state = prepared.state;
      }
      yield { type: 'stream_request_start', turnCount: state.turnCount + 1 };
      if (state.pendingToolUseSummary) yield { type: 'tool_use_summary', summary: state.pendingToolUseSummary };
      const reply = yield* streamReply(turn, state);
      const limit = budgetLimit(turn.config, turn.deps.ledger);
      const taken = yield* takeStep(turn, state, decideNextStep(reply, state, limit));
      if (taken.type === 'end') return taken.terminal;
      state = taken.state;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
    await cleanUpTurn(turn, params.toolUseContext);
  }
}
