import type { HookVerdict } from '../hooks/types.ts';
import type { ToolResultBlock, ToolUseBlock } from '../models/types.ts';
import type { Tool, ToolOutcome } from '../tools/tool.ts';
import { admitCall } from './admitCall.ts';
import type { QueryEvent } from './events.ts';
import type { PreparedCall } from './prepareCall.ts';
import { runHooks } from './runHooks.ts';
import type { State } from './state.ts';
import { toolContextFor } from './toolContextFor.ts';
import type { Turn } from './turn.ts';

/** What one call came to, for the model, for hooks and for the loop. */
export interface ToolCallEnd {
  readonly call: ToolUseBlock;
  readonly result: ToolResultBlock;
  /** Structured, as hooks see it. */
  readonly output?: unknown;
  readonly contexts: readonly string[];
  /** Set when a hook ended the turn here. */
  readonly prevented: string | null;
}

/** PreToolUse hooks → permission → the tool → PostToolUse or PostToolUseFailure hooks. */
export async function* runToolCall(
  turn: Turn,
  state: State,
  prepared: PreparedCall,
): AsyncGenerator<QueryEvent, ToolCallEnd> {
  const { call } = prepared;
  if (prepared.type === 'refused') return failedEnd(call, prepared.reason);
  const admitted = yield* admitCall(turn, state, prepared);
  if (admitted.type === 'refused') {
    return { ...failedEnd(call, admitted.reason), contexts: admitted.contexts, prevented: admitted.prevented };
  }
  const { tool } = prepared;
  yield { type: 'tool_start', toolUseId: call.id, name: call.name, summary: tool.summary(admitted.input) };
  const { directory } = state.toolUseContext.toolServices;
  const oldCwd = directory.current();
  const startedAt = turn.deps.clock.now();
  const outcome = yield* callTool(turn, state, { ...prepared, input: admitted.input });
  const durationMs = turn.deps.clock.now() - startedAt;
  yield { type: 'tool_end', toolUseId: call.id, name: call.name, isError: outcome.type === 'failed' };
  if (directory.current() !== oldCwd) yield* runCwdHooks(turn, state, oldCwd);
  const after = yield* afterCall(turn, state, { call, tool, input: admitted.input, outcome, durationMs });
  return { ...after, contexts: [...admitted.contexts, ...after.contexts] };
}

/** A command moved the agent; hooks may leave variables for the new place, but not send it back. */
function runCwdHooks(turn: Turn, state: State, oldCwd: string): AsyncGenerator<QueryEvent, HookVerdict> {
  const context = state.toolUseContext;
  const new_cwd = context.toolServices.directory.current();
  return runHooks(turn, { event: 'CwdChanged', context, input: () => ({ old_cwd: oldCwd, new_cwd }) });
}

type ReadyCall = Extract<PreparedCall, { type: 'ready' }>;

async function* callTool(turn: Turn, state: State, ready: ReadyCall): AsyncGenerator<QueryEvent, ToolOutcome> {
  const { call, tool, input } = ready;
  const running = tool.call(input, toolContextFor(turn, state, call));
  try {
    while (true) {
      const { done, value } = await running.next();
      if (done) return value;
      yield { type: 'progress', toolUseId: call.id, data: value.data };
    }
  } catch (error) {
    // A tool that throws is a bug of the tool; the turn goes on and the model is told.
    turn.deps.logEvent('tool_threw', { tool: tool.name });
    return { type: 'failed', message: `${tool.name} failed unexpectedly: ${(error as Error).message}` };
  } finally {
    await running.return({ type: 'failed', message: 'Interrupted.', interrupted: true });
  }
}

interface FinishedCall {
  readonly call: ToolUseBlock;
  readonly tool: Tool;
  readonly input: unknown;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
}

async function* afterCall(turn: Turn, state: State, finished: FinishedCall): AsyncGenerator<QueryEvent, ToolCallEnd> {
  const { call, input, outcome, durationMs } = finished;
  const failed = outcome.type === 'failed';
  const common = { tool_name: call.name, tool_input: input, tool_use_id: call.id, duration_ms: durationMs };
  const verdict = yield* runHooks(turn, {
    event: failed ? 'PostToolUseFailure' : 'PostToolUse',
    context: state.toolUseContext,
    toolUseId: call.id,
    input: () =>
      failed
        ? { ...common, error: outcome.message, ...(outcome.interrupted ? { is_interrupt: true } : {}) }
        : { ...common, tool_response: outcome.output },
  });
  const told = { contexts: [...verdict.contexts, ...verdict.blocks], prevented: verdict.prevented };
  if (failed) return { ...failedEnd(call, outcome.message), ...told };
  const replaced = yield* replacement(turn, finished, verdict);
  const { content, output } = replaced ?? outcome;
  return {
    call,
    result: { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content },
    output,
    ...told,
  };
}

interface Replacement {
  readonly content: string;
  readonly output: unknown;
}

/** An output that a hook put in place of the tool's own. One that the tool cannot read is dropped, and said. */
async function* replacement(
  turn: Turn,
  { tool }: FinishedCall,
  { updatedToolOutput: output }: HookVerdict,
): AsyncGenerator<QueryEvent, Replacement | undefined> {
  if (output === undefined) return undefined;
  const plain = typeof output === 'string' ? output : JSON.stringify(output);
  const content = tool.renderOutput ? tool.renderOutput(output) : plain;
  if (content !== undefined) return { content, output };
  const text = `A PostToolUse hook's updatedToolOutput does not have the shape of ${tool.name}'s output; it was dropped.`;
  yield turn.record(turn.make.system('informational', text, { level: 'warning' }));
  return undefined;
}

function failedEnd(call: ToolUseBlock, content: string): ToolCallEnd {
  const result = { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content, is_error: true } as const;
  return { call, result, output: `Error: ${content}`, contexts: [], prevented: null };
}
