import { conversationOf, textOf } from '../../session/conversation.ts';
import type { AssistantMessage, Message, UserMessage } from '../../session/messages.ts';
import type { AppendOnlyList } from '../../system/appendOnly.ts';
import { hookTask } from '../../tools/background/backgroundTasks.ts';
import type { QueryEvent } from '../events.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import { cleanUpTurn, type Turn } from '../turn.ts';
import { askAtStop } from './askAtStop.ts';
import { foldResults, PASS, type StopHookResult, sendsBack } from './stopResult.ts';
import type { CacheSafeParams, TurnFacts } from './stopWork.ts';
import { askForTeammate } from './teammate.ts';

/** What the pipeline works on. */
export interface StopAttempt {
  /** As they were sent with the request that was just answered. */
  readonly messagesForQuery: AppendOnlyList<Message>;
  /** All answers of the turn; the last one is what the model wants to stop with. */
  readonly assistantMessages: readonly AssistantMessage[];
  readonly toolUseContext: ToolUseContext;
  readonly stopHookActive: boolean;
}

/** Everything that happens when a model answered without calling a tool, in order. Anything thrown fails open. */
export async function* stopPipeline(turn: Turn, facts: StopAttempt): AsyncGenerator<QueryEvent, StopHookResult> {
  const startedAt = turn.deps.clock.now();
  try {
    await startStopWork(turn, facts);
    const stop = yield* askStopHooks(turn, facts);
    if (stop.preventContinuation || sendsBack(stop)) return stop;
    const woken = await wakeWords(turn);
    if (woken.length > 0) return { ...PASS, blockingErrors: woken };
    return foldResults(yield* askForTeammate(turn, facts.toolUseContext));
  } catch (error) {
    // A broken pipeline must never wedge a turn: said aloud, and the turn may end.
    const text = `The stop pipeline failed and was skipped: ${(error as Error).message}`;
    const durationMs = turn.deps.clock.now() - startedAt;
    const { chainId, depth } = facts.toolUseContext.queryTracking;
    turn.deps.logEvent('stop_pipeline_failed', { message: (error as Error).message, durationMs, chainId, depth });
    yield turn.record(turn.make.system('informational', text, { level: 'warning' }));
    return PASS;
  }
}

const JOB_CLASSIFICATION_MS = 60_000;

/** Snapshot, job state, what runs after the answer, what tools took for the turn: in this order, none of it a gate. */
async function startStopWork(turn: Turn, facts: StopAttempt): Promise<void> {
  const { stopWork } = turn.deps;
  const { toolUseContext, assistantMessages } = facts;
  const { querySource, bare } = turn.config;
  const snapshot = cacheSafeParams(turn, facts);
  const isMain = toolUseContext.agentId === undefined;
  const about: TurnFacts = {
    snapshot,
    assistantMessages,
    querySource,
    agentId: toolUseContext.agentId,
    signal: turn.signal,
  };
  // a subagent must never overwrite the snapshot that side questions to the main conversation start from
  if (isMain && (querySource === 'repl_main_thread' || querySource === 'sdk')) stopWork.saveCacheSafeParams(snapshot);
  if (isMain) await within(JOB_CLASSIFICATION_MS, stopWork.classifyJob(about));
  if (!bare) stopWork.startAfterTurn(about);
  await cleanUpTurn(turn, toolUseContext);
}

function cacheSafeParams(turn: Turn, { messagesForQuery, toolUseContext }: StopAttempt): CacheSafeParams {
  return {
    sessionId: toolUseContext.session.id,
    model: toolUseContext.model,
    system: turn.system,
    tools: turn.toolDefinitions,
    messages: conversationOf(messagesForQuery),
  };
}

/** Waits no longer than `ms`, and does not keep the process alive for it; a failure is the work's own. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  timer.unref();
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}

/** Asks the Stop hooks, or SubagentStop inside a subagent, about this answer. */
function askStopHooks(turn: Turn, facts: StopAttempt): AsyncGenerator<QueryEvent, StopHookResult> {
  const { toolUseContext: context, stopHookActive, assistantMessages } = facts;
  const answer = assistantMessages.at(-1);
  return askAtStop(turn, {
    event: context.agentId ? 'SubagentStop' : 'Stop',
    context,
    input: () => ({
      stop_hook_active: stopHookActive,
      ...lastWords(answer),
      background_tasks: runningTasks(context),
      session_crons: [],
      ...(context.agentTranscriptPath ? { agent_transcript_path: context.agentTranscriptPath } : {}),
    }),
  });
}

/** An answer without a word is not an empty string: the field is missing, as in Claude Code. */
function lastWords(answer: AssistantMessage | undefined) {
  const text = answer ? textOf(answer) : '';
  return text === '' ? {} : { last_assistant_message: text };
}

/** Nobody objects, but a hook that runs beside the turn may still wake it: the answer is not in before it ended. */
async function wakeWords(turn: Turn): Promise<readonly UserMessage[]> {
  await turn.deps.background.wakersEnded(turn.signal);
  return turn.deps.background.take().map((text) => turn.make.user([{ type: 'text', text }], { isMeta: true }));
}

/** What still runs, so that a gate can tell an idle agent from one that waits. */
function runningTasks({ toolServices, agentId }: ToolUseContext) {
  return toolServices.background.running(agentId).map(hookTask);
}
