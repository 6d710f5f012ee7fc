import { withoutForeignThinking } from '../session/foreignThinking.ts';
import { deliverWords } from './backgroundWords.ts';
import { compactFull, isFull, learnWindow, mustLearnWindow } from './compaction/compactIfFull.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { budgetLimit, decideLimit } from './decideLimit.ts';
import { decideNextStep } from './decideNextStep.ts';
import { withDefaults } from './deps.ts';
import { deliverEndedTasks, hasEndedTasks } from './endedTasks.ts';
import type { QueryEvent } from './events.ts';
import type { QueryParams } from './queryParams.ts';
import { initialState } from './state.ts';
import { takeStep } from './steps.ts';
import { tellBudget } from './stop/spendBudget.ts';
import { streamReply } from './streamReply.ts';
import type { Terminal } from './terminal.ts';
import { cleanUpTurn, startTurn } from './turn.ts';
import { withContext } from './userContext.ts';

/**
 * One turn: from a user's message until the agent may stop. Yields what a screen or a script shows, returns how it
 * ended. Each round of the loop is one model request; what follows an answer is decided in one place
 * (`decideNextStep`) and done in another (`takeStep`).
 */
export async function* query(params: QueryParams): AsyncGenerator<QueryEvent, Terminal> {
  const own = new AbortController();
  const turn = startTurn({
    userContext: {},
    systemContext: {},
    ...params,
    query,
    config: { ...DEFAULT_CONFIG, ...params.config },
    deps: withDefaults(params.deps),
    signal: own.signal,
  });
  const abort = () => own.abort();
  const { signal } = params.toolUseContext;
  if (signal.aborted) abort();
  // forwarded by hand: a signal made of two is asked five times as slowly, and every step asks it
  signal.addEventListener('abort', abort, { once: true });
  const { model } = params.toolUseContext;
  const messages = withoutForeignThinking(params.messages, model.id);
  let state = initialState(withContext(turn, messages), params.toolUseContext);
  try {
    yield* tellBudget(turn);
    while (true) {
      const over = decideLimit(turn.config, state.turnCount, turn.deps.ledger);
      if (over) return over;

      if (mustLearnWindow(turn, state)) yield* learnWindow(turn, state);
      if (isFull(turn, state)) {
        const room = yield* compactFull(turn, state);
        if (room.type === 'end') return room.terminal;
        state = room.state;
        const spent = budgetLimit(turn.config, turn.deps.ledger);
        if (spent) return spent;
      }
      const words = turn.deps.background.take();
      if (words.length > 0) state = yield* deliverWords(turn, state, words);
      if (hasEndedTasks(state)) state = yield* deliverEndedTasks(turn, state);

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
