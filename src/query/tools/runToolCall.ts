import type { HookVerdict } from '../../hooks/types.ts';
import type { ToolUseBlock } from '../../models/types.ts';
import type { Tool, ToolOutcome } from '../../tools/tool.ts';
import type { QueryEvent } from '../events.ts';
import { loadNestedInstructions } from '../prompt/nestedInstructions.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import type { Telling } from '../telling.ts';
import type { Turn } from '../turn.ts';
import { type Admission, admitCall, isPlainlyAllowed } from './admitCall.ts';
import { afterCall, isAskedAfterwards, plainEnd } from './afterCall.ts';
import type { PreparedCall } from './prepareCall.ts';
import { deferredEnd, failedEnd, type ToolCallEnd } from './toolCallEnd.ts';
import { toolContextFor } from './toolContextFor.ts';
import { withPermissionUpdates } from './withPermissionUpdates.ts';

/** PreToolUse hooks → permission → the tool → PostToolUse or PostToolUseFailure hooks. */
export async function* runToolCall(
  turn: Turn,
  state: State,
  prepared: PreparedCall,
): AsyncGenerator<QueryEvent, ToolCallEnd> {
  const { call } = prepared;
  if (prepared.type === 'refused') return failedEnd(call, prepared.reason);
  const context = toolContextFor(turn, state, call.id);
  const { tool } = prepared;
  // a copy for each call would be felt in a long turn, and most tools observe nothing
  const ready = tool.observe ? { ...prepared, input: tool.observe(prepared.input, context) } : prepared;
  const impossible = tool.whyNot ? await tool.whyNot(ready.input, context) : undefined;
  if (impossible !== undefined) return failedEnd(call, impossible);
  const admitted: Admission = isPlainlyAllowed(turn, state, ready, context)
    ? { type: 'admitted', input: ready.input, contexts: [] }
    : yield* admitCall(turn, state, ready, context);
  if (admitted.type === 'deferred') return deferredEnd(call);
  if (admitted.type === 'refused') {
    const { reason, contexts, prevented, interrupts = false } = admitted;
    return { ...failedEnd(call, reason), contexts, prevented, interrupts };
  }
  yield { type: 'tool_start', toolUseId: call.id, name: call.name, summary: tool.summary(admitted.input) };
  const { directory } = state.toolUseContext.toolServices;
  const oldCwd = directory.current();
  const startedAt = turn.deps.clock.now();
  let outcome: ToolOutcome;
  try {
    const running = tool.call(admitted.input, context);
    const first = await running.next();
    // most tools have nothing to show while they work: their first step is their last
    outcome = first.done ? first.value : yield* followTool(running, first, call);
  } catch (error) {
    outcome = threw(turn, tool, error as Error);
  }
  const durationMs = turn.deps.clock.now() - startedAt;
  const read = outcome.type === 'done' ? tool.readsFile?.(admitted.input) : undefined;
  const isNew = read !== undefined && turn.deps.nestedInstructions.isNew(read);
  const around =
    isNew || directory.current() !== oldCwd
      ? yield* newSurroundings(turn, state, { oldCwd, read: isNew ? read : undefined })
      : NOTHING_NEW;
  const finished = { call, tool, input: admitted.input, outcome, durationMs };
  const { contexts, permissionUpdates } = admitted;
  const now = withPermissionUpdates(state, permissionUpdates);
  const after = isAskedAfterwards(turn, outcome) ? yield* afterCall(turn, now, finished) : plainEnd(finished);
  if (contexts.length + around.length === 0 && permissionUpdates === undefined) return after;
  return {
    ...after,
    contexts: [...contexts, ...around, ...after.contexts],
    ...(permissionUpdates && { permissionUpdates }),
  };
}

const NOTHING_NEW: readonly string[] = [];

/** What the model must know of where it is now: a new working directory, the instructions of a folder it reads from. */
async function* newSurroundings(
  turn: Turn,
  state: State,
  { oldCwd, read }: { readonly oldCwd: string; readonly read: string | undefined },
): AsyncGenerator<QueryEvent, readonly string[]> {
  const around: string[] = [];
  const cwd = state.toolUseContext.toolServices.directory.current();
  if (cwd !== oldCwd) {
    yield* runCwdHooks(turn, state, oldCwd);
    around.push(`# Environment update\n - Primary working directory: ${cwd} (was ${oldCwd})`);
  }
  if (read !== undefined) around.push(...(yield* loadNestedInstructions(turn, state, read)));
  return around;
}

/** A command moved the agent; hooks may leave variables for the new place, but not send it back. */
function runCwdHooks(turn: Turn, state: State, oldCwd: string): Telling<HookVerdict> {
  const context = state.toolUseContext;
  const new_cwd = context.toolServices.directory.current();
  return runHooks(turn, { event: 'CwdChanged', context, input: () => ({ old_cwd: oldCwd, new_cwd }) });
}

/** A tool that throws is a bug of the tool; the turn goes on and the model is told. */
function threw(turn: Turn, { name }: Tool, error: Error): ToolOutcome {
  turn.deps.logEvent('tool_threw', { tool: name });
  return { type: 'failed', message: `${name} failed unexpectedly: ${error.message}` };
}

async function* followTool(
  running: RunningTool,
  first: Awaited<ReturnType<RunningTool['next']>>,
  call: ToolUseBlock,
): AsyncGenerator<QueryEvent, ToolOutcome> {
  let step = first;
  try {
    for (; !step.done; step = await running.next()) {
      yield { type: 'progress', toolUseId: call.id, data: step.value.data };
    }
    return step.value;
  } finally {
    // whoever stops listening half way leaves nothing running
    if (!step.done) await running.return({ type: 'failed', message: 'Interrupted.', interrupted: true });
  }
}

type RunningTool = ReturnType<Tool['call']>;
