import type { HookVerdict } from '../../hooks/types.ts';
import type { ToolUseBlock } from '../../models/types.ts';
import type { Tool, ToolOutcome } from '../../tools/tool.ts';
import type { QueryEvent } from '../events.ts';
import { loadNestedInstructions } from '../prompt/nestedInstructions.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import { type Admission, admitCall, isPlainlyAllowed } from './admitCall.ts';
import type { PreparedCall } from './toolBatches.ts';
import {
  deferredEnd,
  failedEnd,
  refusedEnd,
  serverOf,
  type ToolCallEnd,
  withPermissionUpdates,
} from './toolCallEnd.ts';
import { toolContextFor } from './toolContextFor.ts';

/** PreToolUse hooks → permission → the tool → PostToolUse or PostToolUseFailure hooks. */
export async function* runToolCall(
  turn: Turn,
  state: State,
  prepared: PreparedCall,
): AsyncGenerator<QueryEvent, ToolCallEnd> {
  if (prepared.type === 'refused') return refusedEnd(prepared.call, prepared.reason);
  const { call, tool } = prepared;
  const context = toolContextFor(turn, state, call.id);
  // a copy for each call would slow a long turn, and most tools observe nothing
  const ready = tool.observe ? { ...prepared, input: tool.observe(prepared.input, context) } : prepared;
  const admitted: Admission = isPlainlyAllowed(turn, state, ready, context)
    ? { type: 'admitted', input: ready.input, contexts: [] }
    : yield* admitCall(turn, state, ready, context);
  if (admitted.type !== 'admitted') return notAdmitted(call, admitted);
  const { input } = admitted;
  yield { type: 'tool_start', toolUseId: call.id, name: call.name, summary: tool.summary(input) };
  const { directory } = state.toolUseContext.toolServices;
  const oldCwd = directory.current();
  const startedAt = turn.deps.clock.now();
  let outcome: ToolOutcome;
  try {
    const running = tool.call(input, context);
    const first = await running.next();
    // most tools have nothing to show while they work: their first step is their last
    outcome = first.done ? first.value : yield* followTool(running, first, call);
  } catch (error) {
    outcome = threw(turn, tool, error as Error);
  }
  const durationMs = turn.deps.clock.now() - startedAt;
  const finished = {
    call,
    tool,
    input,
    outcome,
    durationMs,
    admitted,
    oldCwd,
    read: newlyRead(turn, tool, input, outcome),
  };
  const isPlain =
    finished.read === undefined && directory.current() === oldCwd && admitted.permissionUpdates === undefined;
  if (isPlain && admitted.contexts.length === 0 && !turn.deps.hooks.has(postEvent(outcome))) return plainEnd(finished);
  return yield* fullEnd(turn, state, finished);
}

function notAdmitted(call: ToolUseBlock, admission: Exclude<Admission, { type: 'admitted' }>): ToolCallEnd {
  if (admission.type === 'deferred') return deferredEnd(call);
  const { reason, contexts, prevented, interrupts = false } = admission;
  return { ...refusedEnd(call, reason), contexts, prevented, interrupts };
}

/** The file that a call read, if its folder may have instructions that the model has not seen. */
function newlyRead(turn: Turn, tool: Tool, input: unknown, outcome: ToolOutcome): string | undefined {
  const read = outcome.type === 'done' ? tool.readsFile?.(input) : undefined;
  return read !== undefined && turn.deps.nestedInstructions.isNew(read) ? read : undefined;
}

/** The end of a call with all that hooks and its surroundings add. */
async function* fullEnd(turn: Turn, state: State, finished: FinishedCall): AsyncGenerator<QueryEvent, ToolCallEnd> {
  const { contexts, permissionUpdates } = finished.admitted;
  const around = yield* newSurroundings(turn, state, finished);
  const now = withPermissionUpdates(state, permissionUpdates);
  const hasHooks = turn.deps.hooks.has(postEvent(finished.outcome));
  const after = hasHooks ? yield* afterCall(turn, now, finished) : plainEnd(finished);
  return {
    ...after,
    contexts: [...contexts, ...after.contexts],
    ...(around.length > 0 && { around }),
    ...(permissionUpdates && { permissionUpdates }),
  };
}

/** What changed around the model: a new working directory, the instructions of a folder it reads from. */
async function* newSurroundings(
  turn: Turn,
  state: State,
  { oldCwd, read }: FinishedCall,
): AsyncGenerator<QueryEvent, readonly string[]> {
  const around: string[] = [];
  const cwd = state.toolUseContext.toolServices.directory.current();
  if (cwd !== oldCwd) {
    // hooks may leave variables for the new folder, but not undo the move
    const input = () => ({ old_cwd: oldCwd, new_cwd: cwd });
    yield* runHooks(turn, { event: 'CwdChanged', context: state.toolUseContext, input });
    around.push(`# Environment update\n - Primary working directory: ${cwd} (was ${oldCwd})`);
  }
  if (read !== undefined) around.push(...(yield* loadNestedInstructions(turn, state, read)));
  return around;
}

/** A tool that throws has a bug; the turn continues and the model reads the error. */
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
    // a consumer that stops early leaves nothing running
    if (!step.done) await running.return({ type: 'failed', message: 'Interrupted.', interrupted: true });
  }
}

type RunningTool = ReturnType<Tool['call']>;

interface FinishedCall {
  readonly call: ToolUseBlock;
  readonly tool: Tool;
  readonly input: unknown;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
  readonly admitted: Extract<Admission, { type: 'admitted' }>;
  readonly oldCwd: string;
  /** A file whose folder may have new instructions. */
  readonly read: string | undefined;
}

const postEvent = ({ type }: ToolOutcome) => (type === 'failed' ? 'PostToolUseFailure' : 'PostToolUse');

/** The end of a call that no hook sees. */
function plainEnd({ call, outcome }: FinishedCall): ToolCallEnd {
  return outcome.type === 'failed' ? failedEnd(call, outcome.message) : doneEnd(call, outcome);
}

/** Runs the PostToolUse or PostToolUseFailure hooks and returns the end of the call. */
async function* afterCall(turn: Turn, state: State, finished: FinishedCall): AsyncGenerator<QueryEvent, ToolCallEnd> {
  const { call, tool, input, outcome, durationMs } = finished;
  const failed = outcome.type === 'failed';
  const common = {
    tool_name: call.name,
    tool_input: input,
    tool_use_id: call.id,
    ...serverOf(tool),
    duration_ms: durationMs,
  };
  const verdict = yield* runHooks(turn, {
    event: postEvent(outcome),
    context: state.toolUseContext,
    toolUseId: call.id,
    input: () =>
      failed
        ? { ...common, error: outcome.message, is_interrupt: outcome.interrupted === true }
        : { ...common, tool_response: outcome.output },
  });
  const added = { contexts: [...verdict.blocks, ...verdict.contexts], prevented: verdict.prevented };
  if (failed) return { ...failedEnd(call, outcome.message), ...added };
  const replaced = yield* replacement(turn, finished, verdict);
  return { ...doneEnd(call, replaced ?? outcome), ...added };
}

type DoneOutput = Pick<Extract<ToolOutcome, { type: 'done' }>, 'content' | 'output'>;

function doneEnd(call: ToolUseBlock, { content, output }: DoneOutput): ToolCallEnd {
  const result = { type: 'tool_result', tool_use_id: call.id, tool_name: call.name, content } as const;
  return { call, result, output, contexts: [], prevented: null };
}

/** An output that a hook put in place of the tool's own. One that the tool cannot read is dropped with a warning. */
function* replacement(
  turn: Turn,
  { tool }: FinishedCall,
  { updatedToolOutput: output }: HookVerdict,
): Generator<QueryEvent, DoneOutput | undefined> {
  if (output === undefined) return undefined;
  const plain = typeof output === 'string' ? output : JSON.stringify(output);
  const content = tool.renderOutput ? tool.renderOutput(output) : plain;
  if (content !== undefined) return { content, output };
  yield turn.warn(
    `A PostToolUse hook's updatedToolOutput does not have the shape of ${tool.name}'s output; it was dropped.`,
  );
  return undefined;
}
