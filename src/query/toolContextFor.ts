import { makeMayShow } from '../permissions/mayShow.ts';
import type { ToolContext } from '../tools/toolContext.ts';
import { askTaskHooks } from './askTaskHooks.ts';
import type { State } from './state.ts';
import { runSubagent } from './subagent.ts';
import { findSubagentType } from './subagentTypes.ts';
import type { ToolUseContext } from './toolUseContext.ts';
import type { Turn } from './turn.ts';

/** What one call may touch: the session's services, this call's id and signal, and the way to a subagent. */
export function toolContextFor(turn: Turn, state: Pick<State, 'toolUseContext'>, toolUseId: string): ToolContext {
  const { toolUseContext } = state;
  const { permissions, toolServices } = toolUseContext;
  const mayDelegate = toolUseContext.queryTracking.depth === 0;
  return {
    ...toolServices,
    toolUseId,
    signal: turn.signal,
    maxConcurrentSubagents: turn.config.maxConcurrentSubagents,
    registerCleanup: turn.deps.stopWork.registerCleanup,
    askTaskHooks: (event, task) => askTaskHooks(turn, toolUseContext, event, task),
    mayShow: mayShowFor(toolUseContext),
    workingFolders: [toolServices.directory.projectDir, ...permissions.additionalDirectories],
    subagentName: (asked) => {
      const found = findSubagentType(asked, turn.deps.agents);
      return found.type === 'found' ? found.name : asked;
    },
    ...(toolUseContext.agentId ? { agentId: toolUseContext.agentId } : {}),
    ...(mayDelegate ? { runSubagent: (request) => runSubagent(turn, toolUseContext, request) } : {}),
  };
}

/** The rules are read when a search asks, not for every call. */
function mayShowFor({ permissions, toolServices }: ToolUseContext): (path: string) => boolean {
  const { projectDir } = toolServices.directory;
  let made: ((path: string) => boolean) | undefined;
  return (path) => {
    made ??= makeMayShow({
      rules: permissions.rules,
      directories: [projectDir, ...permissions.additionalDirectories],
      projectDir,
      homeDir: permissions.homeDir,
    });
    return made(path);
  };
}
