import { conversationOf, textOf } from '../../session/conversation.ts';
import type { AssistantMessage, Message, UserMessage } from '../../session/messages.ts';
import type { AppendOnlyList } from '../../system/appendOnly.ts';
import { hookTask } from '../../tools/background/backgroundTasks.ts';
import type { QueryEvent } from '../events.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import { cleanUpTurn, type Turn } from '../turn.ts';
import { runStopEvent, runTeammateHooks } from './runStopEvent.ts';
import type { StopHistory } from './stopHistory.ts';
import { foldResults, PASS, type StopHookResult, sendsBack } from './stopResult.ts';
import type { TurnFacts } from './stopWork.ts';

interface StopAttempt {
  /** As they were sent with the request that was just answered. */
  readonly messagesForQuery: AppendOnlyList<Message>;
  /** All answers of the turn; the last one is what the model wants to stop with. */
  readonly assistantMessages: readonly AssistantMessage[];
  readonly toolUseContext: ToolUseContext;
  readonly stopHookActive: boolean;
  /** Earlier stops of the turn. */
  readonly history: StopHistory;
  /** Whether the work changed since the last one; null when unknown. */
  readonly changed: boolean | null;
}

/** Everything that happens when a model answered without calling a tool, in order. An exception lets the turn end. */
export async function* stopPipeline(turn: Turn, facts: StopAttempt): AsyncGenerator<QueryEvent, StopHookResult> {
  const startedAt = turn.deps.clock.now();
  try {
    await startStopWork(turn, facts);
    const stop = yield* runStopHooks(turn, facts);
    if (stop.preventContinuation || sendsBack(stop)) return stop;
    const woken = await wakingMessages(turn);
    if (woken.length > 0) return { ...PASS, blockingErrors: woken, isWake: true };
    return foldResults(yield* runTeammateHooks(turn, facts.toolUseContext));
  } catch (error) {
    // a broken pipeline must never wedge a turn
    const { message } = error as Error;
    const durationMs = turn.deps.clock.now() - startedAt;
    turn.deps.logEvent('stop_pipeline_failed', { message, durationMs, ...facts.toolUseContext.queryTracking });
    yield turn.warn(`The stop pipeline failed and was skipped: ${message}`);
    return PASS;
  }
}

const JOB_CLASSIFICATION_MS = 60_000;

/** Snapshot, job state, work after the answer, cleanups: in this order, none of it a gate. */
async function startStopWork(turn: Turn, facts: StopAttempt): Promise<void> {
  const { stopWork } = turn.deps;
  const { toolUseContext, assistantMessages } = facts;
  const { session, model, agentId } = toolUseContext;
  const { querySource, bare } = turn.config;
  const { system, toolDefinitions: tools, signal } = turn;
  const snapshot = { sessionId: session.id, model, system, tools, messages: conversationOf(facts.messagesForQuery) };
  const isMain = agentId === undefined;
  const about: TurnFacts = { snapshot, assistantMessages, querySource, agentId, signal };
  // a subagent must never overwrite the snapshot that side questions to the main conversation start from
  if (isMain && (querySource === 'repl_main_thread' || querySource === 'sdk')) stopWork.saveCacheSafeParams(snapshot);
  if (isMain) await within(JOB_CLASSIFICATION_MS, stopWork.classifyJob(about));
  if (!bare) stopWork.startAfterTurn(about);
  await cleanUpTurn(turn, toolUseContext);
}

/** Waits no longer than `ms` without keeping the process alive; failures are ignored. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  timer.unref();
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}

/** Runs the Stop hooks, or SubagentStop inside a subagent, on this answer. */
function runStopHooks(turn: Turn, facts: StopAttempt): AsyncGenerator<QueryEvent, StopHookResult> {
  const { toolUseContext: context, stopHookActive, assistantMessages, history, changed } = facts;
  const answer = assistantMessages.at(-1);
  const text = answer ? textOf(answer) : '';
  return runStopEvent(turn, {
    event: context.agentId ? 'SubagentStop' : 'Stop',
    context,
    // one hook's reasons are not the business of another
    ownInput: (hook) => ({ previous_reasons: Object.hasOwn(history.reasons, hook) ? history.reasons[hook] : [] }),
    input: () => ({
      stop_hook_active: stopHookActive,
      stop_attempt: history.attempts + 1,
      changed_since_last_attempt: changed,
      // for an answer without text the field is missing, as in Claude Code
      ...(text === '' ? {} : { last_assistant_message: text }),
      // so that a gate can tell an idle agent from one that waits
      background_tasks: context.toolServices.background.running(context.agentId).map(hookTask),
      session_crons: [],
      ...(context.agentTranscriptPath ? { agent_transcript_path: context.agentTranscriptPath } : {}),
    }),
  });
}

/** No hook objects, but a background hook may still wake the turn, so its end is awaited. */
async function wakingMessages(turn: Turn): Promise<readonly UserMessage[]> {
  await turn.deps.background.wakersEnded(turn.signal);
  return turn.deps.background.take().map((text) => turn.make.hidden(text));
}
