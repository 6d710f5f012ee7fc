import { totalTokens as tokensOf } from '../../models/types.ts';
import { textOf } from '../../session/conversation.ts';
import { shortId } from '../../system/ids.ts';
import { returnValueOf } from '../../system/returnValueOf.ts';
import { asSentence } from '../../system/sentence.ts';
import type { SubagentEnd, SubagentRequest } from '../../tools/toolContext.ts';
import { isMessage, type QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import type { Terminal } from '../terminal.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import { findSubagentType, subagentMaxTurns, subagentTools } from './subagentTypes.ts';

/**
 * A turn inside a tool call: its own id, transcript and tool list. It shares the parent's ledger, so what it spends
 * is spent by the parent's turn, and the parent's limits end it too.
 */
export async function* runSubagent(
  turn: Turn,
  parent: ToolUseContext,
  request: SubagentRequest,
): AsyncGenerator<Readonly<Record<string, unknown>>, SubagentEnd> {
  const agentId = shortId(turn.deps.ids);
  const found = findSubagentType(request.subagentType, turn.deps.agents);
  if (found.type === 'unknown') return notStarted(agentId, found.message);
  const { name: agentType, kind: type } = found;
  const wanted = request.model ?? type.model;
  const chosen = wanted ? turn.deps.resolveModel(wanted) : ({ type: 'ok', model: parent.model } as const);
  if (chosen.type === 'unknown')
    return notStarted(agentId, `The subagent was not started: ${asSentence(chosen.message)}`);
  const transcript = turn.deps.openAgentTranscript(agentId);
  const context: ToolUseContext = {
    ...withoutTeammate(parent),
    model: chosen.model,
    agentId,
    agentType,
    agentTranscriptPath: transcript.path,
    tools: subagentTools(parent.tools, type),
    // its `cd` is not its parent's, and what it read its parent has not seen
    toolServices: { ...parent.toolServices, directory: parent.toolServices.directory.fork(), readFiles: new Map() },
    signal: request.signal,
    queryTracking: { ...parent.queryTracking, depth: parent.queryTracking.depth + 1 },
  };
  yield { type: 'agent_started', agentId, transcriptPath: transcript.path };
  const startedAt = turn.deps.clock.now();
  // SubagentStart hooks cannot block; what they add goes into the first message
  const started = await returnValueOf(runHooks(turn, { event: 'SubagentStart', context, input: () => ({}) }));
  const blocks = [request.prompt, ...started.contexts].map((text) => ({ type: 'text', text }) as const);
  const prompt = turn.make.user(blocks);
  transcript.writer.append(prompt);
  const running = turn.query({
    messages: [prompt],
    systemPrompt: [...turn.systemPrompt, type.prompt],
    userContext: turn.userContext,
    systemContext: turn.systemContext,
    toolUseContext: context,
    config: { ...turn.config, querySource: 'agent', maxTurns: subagentMaxTurns(turn.config.maxTurns, type) },
    deps: { ...turn.deps, transcript: transcript.writer },
  });
  const seen = yield* follow(running, agentId, request);
  parent.toolServices.background.adopt(agentId);
  return { ...seen, agentId, durationMs: turn.deps.clock.now() - startedAt };
}

/** A subagent works for one agent of a team; it is not itself one. */
function withoutTeammate({ teammate: _teammate, ...context }: ToolUseContext): ToolUseContext {
  return context;
}

function notStarted(agentId: string, answer: string): SubagentEnd {
  return { agentId, reason: 'not_started', completed: false, answer, totalTokens: 0, totalToolUses: 0, durationMs: 0 };
}

async function* follow(
  running: AsyncGenerator<QueryEvent, Terminal>,
  agentId: string,
  request: SubagentRequest,
): AsyncGenerator<Readonly<Record<string, unknown>>, Omit<SubagentEnd, 'agentId' | 'durationMs'>> {
  let answer = '';
  let atStop = '';
  const sentBack: string[] = [];
  let totalTokens = 0;
  let totalToolUses = 0;
  try {
    while (true) {
      const { done, value } = await running.next();
      if (done) {
        const completed = value.reason === 'completed';
        return { reason: value.reason, completed, answer: wholeReport(answer, sentBack), totalTokens, totalToolUses };
      }
      // a gate questioned its stop: what it had reported must not be lost to a mere "all checks green"
      if (value.type === 'system' && value.subtype === 'stop_hook_summary') atStop = answer;
      if (value.type === 'user' && value.isMeta && atStop) sentBack.push(atStop);
      if (value.type === 'user') atStop = '';
      if (value.type === 'tool_start') totalToolUses += 1;
      if (value.type === 'assistant') {
        answer = textOf(value) || answer;
        totalTokens = tokensOf(value.message.usage);
      }
      if (isMessage(value)) yield { type: 'agent_message', agentId, toolUseId: request.toolUseId, message: value };
    }
  } finally {
    await running.return({ reason: 'aborted_tools' });
  }
}

/** The last answer first; then the answers that hooks sent back before it, unless it contains them. */
function wholeReport(answer: string, sentBack: readonly string[]): string {
  const lost = sentBack.filter((text) => text !== '' && !answer.includes(text));
  if (lost.length === 0) return answer;
  return `${answer}\n\nBefore its stop was questioned it had answered:\n\n${lost.join('\n\n')}`;
}
