import type { HookVerdict } from '../../hooks/types.ts';
import type { ToolUseBlock } from '../../models/types.ts';
import type { Tool, ToolContent, ToolOutcome } from '../../tools/tool.ts';
import type { QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { failedEnd, type ToolCallEnd } from './toolCallEnd.ts';

export interface FinishedCall {
  readonly call: ToolUseBlock;
  readonly tool: Tool;
  readonly input: unknown;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
}

/** Whether anybody wants to know how the call went. */
export function isAskedAfterwards({ deps }: Turn, { type }: ToolOutcome): boolean {
  return deps.hooks.has(type === 'failed' ? 'PostToolUseFailure' : 'PostToolUse');
}

/** What the call came to when nobody is asked. */
export function plainEnd({ call, outcome }: Pick<FinishedCall, 'call' | 'outcome'>): ToolCallEnd {
  return outcome.type === 'failed' ? failedEnd(call, outcome.message) : doneEnd(call, outcome);
}

/** Asks the PostToolUse or PostToolUseFailure hooks, and what the call then came to. */
export async function* afterCall(
  turn: Turn,
  state: State,
  finished: FinishedCall,
): AsyncGenerator<QueryEvent, ToolCallEnd> {
  const { call, tool, input, outcome, durationMs } = finished;
  const failed = outcome.type === 'failed';
  const which = { tool_name: call.name, tool_input: input, tool_use_id: call.id, ...serverOf(tool) };
  const common = { ...which, duration_ms: durationMs };
  const verdict = yield* runHooks(turn, {
    event: failed ? 'PostToolUseFailure' : 'PostToolUse',
    context: state.toolUseContext,
    toolUseId: call.id,
    input: () =>
      failed
        ? { ...common, error: outcome.message, is_interrupt: outcome.interrupted === true }
        : { ...common, tool_response: outcome.output },
  });
  const told = { contexts: [...verdict.blocks, ...verdict.contexts], prevented: verdict.prevented };
  if (failed) return { ...failedEnd(call, outcome.message), ...told };
  const replaced = yield* replacement(turn, finished, verdict);
  return { ...doneEnd(call, replaced ?? outcome), ...told };
}

/** Hooks are told which MCP server a tool belongs to. */
export const serverOf = ({ mcpServer }: Tool) => (mcpServer ? { mcp_server: mcpServer } : {});

function doneEnd(call: ToolUseBlock, { content, output }: Pick<DoneOutcome, 'content' | 'output'>): ToolCallEnd {
  const result = { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content } as const;
  return { call, result, output, contexts: [], prevented: null };
}

type DoneOutcome = Extract<ToolOutcome, { type: 'done' }>;

interface Replacement {
  readonly content: ToolContent;
  readonly output: unknown;
}

/** An output that a hook put in place of the tool's own. One that the tool cannot read is dropped, and said. */
function* replacement(
  turn: Turn,
  { tool }: FinishedCall,
  { updatedToolOutput: output }: HookVerdict,
): Generator<QueryEvent, Replacement | undefined> {
  if (output === undefined) return undefined;
  const plain = typeof output === 'string' ? output : JSON.stringify(output);
  const content = tool.renderOutput ? tool.renderOutput(output) : plain;
  if (content !== undefined) return { content, output };
  const text = `A PostToolUse hook's updatedToolOutput does not have the shape of ${tool.name}'s output; it was dropped.`;
  yield turn.record(turn.make.system('informational', text, { level: 'warning' }));
  return undefined;
}
