import type { ToolUseBlock } from '../models/types.ts';
import type { ToolContext } from '../tools/toolContext.ts';
import { askTaskHooks } from './askTaskHooks.ts';
import type { State } from './state.ts';
import { runSubagent } from './subagent.ts';
import type { Turn } from './turn.ts';

/** What one call may touch: the session's services, this call's id and signal, and the way to a subagent. */
export function toolContextFor(turn: Turn, state: State, call: ToolUseBlock): ToolContext {
  const { toolUseContext } = state;
  const mayDelegate = toolUseContext.queryTracking.depth === 0;
  return {
    ...toolUseContext.toolServices,
    toolUseId: call.id,
    signal: turn.signal,
    askTaskHooks: (event, task) => askTaskHooks(turn, toolUseContext, event, task),
    ...(toolUseContext.agentId ? { agentId: toolUseContext.agentId } : {}),
    ...(mayDelegate ? { runSubagent: (request) => runSubagent(turn, toolUseContext, request) } : {}),
  };
}
