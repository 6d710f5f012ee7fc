import { makeMayShow } from '../../permissions/mayShow.ts';
import { returnValueOf } from '../../system/returnValueOf.ts';
import type { TaskFacts, ToolContext } from '../../tools/toolContext.ts';
import { runHooks } from '../runHooks.ts';
import type { State } from '../state.ts';
import { runSubagent } from '../subagent/subagent.ts';
import { findSubagentType } from '../subagent/subagentTypes.ts';
import { permissionFacts, type ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';

/** What one call may touch: the session's services, this call's id and signal, and the way to a subagent. */
export function toolContextFor(turn: Turn, state: Pick<State, 'toolUseContext'>, toolUseId: string): ToolContext {
  const { toolUseContext } = state;
  const before = ofAnyCall.get(turn);
  if (before?.of === toolUseContext) return { ...before.context, toolUseId };
  const context = contextOfAnyCall(turn, toolUseContext);
  ofAnyCall.set(turn, { of: toolUseContext, context });
  return { ...context, toolUseId };
}

/** All calls of a turn share everything but their id, until a hook changes the permissions. */
const ofAnyCall = new WeakMap<
  Turn,
  { readonly of: ToolUseContext; readonly context: Omit<ToolContext, 'toolUseId'> }
>();

function contextOfAnyCall(turn: Turn, toolUseContext: ToolUseContext): Omit<ToolContext, 'toolUseId'> {
  const mayDelegate = toolUseContext.queryTracking.depth === 0;
  return {
    ...toolUseContext.toolServices,
    signal: turn.signal,
    maxConcurrentSubagents: turn.config.maxConcurrentSubagents,
    registerCleanup: turn.deps.stopWork.registerCleanup,
    askTaskHooks: (event, task) => runTaskHooks(turn, toolUseContext, event, task),
    mayShow: mayShowFor(toolUseContext),
    workingFolders: permissionFacts(toolUseContext).directories,
    subagentName: (written) => {
      const found = findSubagentType(written, turn.deps.agents);
      return found.type === 'found' ? found.name : written;
    },
    ...(toolUseContext.agentId ? { agentId: toolUseContext.agentId } : {}),
    ...(mayDelegate ? { runSubagent: (request) => runSubagent(turn, toolUseContext, request) } : {}),
  };
}

/** The rules are read when a search needs them, not for every call. */
function mayShowFor(context: ToolUseContext): (path: string) => boolean {
  let made: ((path: string) => boolean) | undefined;
  return (path) => {
    made ??= makeMayShow(permissionFacts(context));
    return made(path);
  };
}

/** The gate before a task is created or completed: null to continue, or what the model reads instead. */
async function runTaskHooks(
  turn: Turn,
  context: ToolUseContext,
  event: 'TaskCreated' | 'TaskCompleted',
  task: TaskFacts,
): Promise<string | null> {
  const input = () => ({ task_id: task.id, task_subject: task.subject, task_description: task.description });
  // events that the hooks emit are in the transcript already, and a tool call has its own progress
  const { blocks } = await returnValueOf(runHooks(turn, { event, context, input }));
  return blocks.length === 0 ? null : blocks.join('\n');
}
