import { textOf } from '../session/conversation.ts';
import type { AssistantMessage, Message } from '../session/messages.ts';
import { backgroundTask } from '../tools/bash/backgroundShells.ts';
import type { QueryEvent } from './events.ts';
import { INTERRUPTED } from './interruptStep.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import type { ToolUseContext } from './toolUseContext.ts';
import type { Turn } from './turn.ts';

export interface StopHookResult {
  /** Hidden user messages: the turn goes on with them. */
  readonly blockingErrors: readonly Message[];
  /** Context that hooks add without blocking; it too makes the turn go on. */
  readonly contexts: readonly Message[];
  readonly preventContinuation: boolean;
  readonly stopReason: string;
}

/** May the turn end? Asks the Stop hooks (SubagentStop inside a subagent) about this answer. */
export async function* askStopHooks(
  turn: Turn,
  state: State,
  answer: AssistantMessage,
): AsyncGenerator<QueryEvent, StopHookResult> {
  const context = state.toolUseContext;
  const verdict = yield* runHooks(turn, {
    event: context.agentId ? 'SubagentStop' : 'Stop',
    context,
    input: () => ({
      stop_hook_active: state.stopHookActive,
      last_assistant_message: textOf(answer),
      background_tasks: runningTasks(context),
      session_crons: [],
      ...(context.agentTranscriptPath ? { agent_transcript_path: context.agentTranscriptPath } : {}),
    }),
  });
  if (turn.signal.aborted) {
    yield turn.record(turn.make.user([{ type: 'text', text: INTERRUPTED }]));
    return { blockingErrors: [], contexts: [], preventContinuation: true, stopReason: 'Interrupted by the user.' };
  }
  const hidden = (text: string) => turn.make.user([{ type: 'text', text }], { isMeta: true });
  if (verdict.prevented === null) {
    const woken = verdict.blocks.length + verdict.contexts.length === 0 ? await wakeWords(turn) : [];
    return {
      blockingErrors: [...verdict.blocks, ...woken].map(hidden),
      contexts: verdict.contexts.map(hidden),
      preventContinuation: false,
      stopReason: '',
    };
  }
  const stopReason = verdict.prevented;
  yield turn.record(turn.make.attachment({ type: 'hook_stopped_continuation', message: stopReason }));
  return { blockingErrors: [], contexts: [], preventContinuation: true, stopReason };
}

/** Nobody objects, but a hook that runs beside the turn may still wake it: the answer is not in before it ended. */
async function wakeWords(turn: Turn): Promise<readonly string[]> {
  await turn.deps.background.wakersEnded(turn.signal);
  return turn.deps.background.take();
}

/** What still runs, so that a gate can tell an idle agent from one that waits. */
function runningTasks({ toolServices }: ToolUseContext) {
  return toolServices.shells
    .list()
    .filter(({ status }) => status === 'running')
    .map(backgroundTask);
}
