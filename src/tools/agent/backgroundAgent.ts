import { returnValueOf } from '../../system/returnValueOf.ts';
import type { BackgroundTaskEnd } from '../background/backgroundTasks.ts';
import type { ToolOutcome } from '../tool.ts';
import type { SubagentEnd, SubagentRequest, SubagentStarted, ToolContext } from '../toolContext.ts';

type RunSubagent = NonNullable<ToolContext['runSubagent']>;

/** Starts a subagent that outlives the call and the turn. */
export async function startInBackground(
  request: SubagentRequest,
  context: ToolContext,
  run: RunSubagent,
): Promise<ToolOutcome> {
  const { background, maxConcurrentSubagents = Number.POSITIVE_INFINITY, agentId: owner } = context;
  const count = background.running().filter(({ type }) => type === 'subagent').length;
  if (count >= maxConcurrentSubagents) {
    const message = `${count} subagents already run in the background, which is the limit (CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS). Wait for one to end.`;
    return { type: 'failed', message };
  }
  const stop = new AbortController();
  const running = run({ ...request, signal: stop.signal });
  const first = await running.next();
  if (first.done) return { type: 'failed', message: first.value.answer };
  const { agentId, transcriptPath: outputFile } = first.value as unknown as SubagentStarted;
  const { description, subagentType, toolUseId } = request;
  const facts = { agent_type: subagentType };
  background.add(
    { id: agentId, type: 'subagent', description, toolUseId, owner, outputFile, facts },
    endOf(running, description),
    () => stop.abort(),
  );
  return {
    type: 'done',
    output: { status: 'async_launched', agentId, description, outputFile },
    content: `The subagent runs in the background as ${agentId}. You will receive its answer when it ends; until then its result is unknown. Continue with other work, or stop and wait.`,
  };
}

async function endOf(running: ReturnType<RunSubagent>, description: string): Promise<BackgroundTaskEnd> {
  try {
    return describeEnd(await returnValueOf(running), description);
  } catch (error) {
    return { status: 'failed', summary: `Agent "${description}" failed: ${(error as Error).message}` };
  }
}

function describeEnd(end: SubagentEnd, description: string): BackgroundTaskEnd {
  const { completed, reason, answer, totalTokens, totalToolUses, durationMs } = end;
  const more = [
    `<result>${answer}</result>`,
    `<usage><subagent_tokens>${totalTokens}</subagent_tokens><tool_uses>${totalToolUses}</tool_uses><duration_ms>${durationMs}</duration_ms></usage>`,
  ].join('\n');
  const summary = completed ? `Agent "${description}" finished` : `Agent "${description}" failed: it ended ${reason}`;
  return { status: completed ? 'completed' : 'failed', summary, more };
}
