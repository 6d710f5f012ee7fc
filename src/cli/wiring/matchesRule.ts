import type { MatchesRule } from '../../hooks/select.ts';
import { conditionMeets } from '../../permissions/conditionMeets.ts';
import type { ToolUseContext } from '../../query/toolUseContext.ts';
import { parseToolInput } from '../../tools/parseInput.ts';

/** Does one permission rule cover one call? For a hook's `if`. */
export function ruleMatcher(context: () => ToolUseContext): MatchesRule {
  return (rule, toolName, toolInput) => {
    const { tools, toolServices, permissions, signal } = context();
    const tool = tools.find(({ name }) => name === toolName);
    const parsed = tool && parseToolInput(tool, toolInput);
    if (!tool || parsed?.type !== 'ok') return 'unclear';
    const call = {
      toolUseId: '',
      signal,
      askTaskHooks: async () => null,
      registerCleanup: () => () => {},
      ...toolServices,
    };
    const { projectDir } = toolServices.directory;
    return conditionMeets(rule, {
      toolName,
      request: tool.permission(parsed.input, call),
      directories: [projectDir],
      projectDir,
      homeDir: permissions.homeDir,
      cwd: toolServices.directory.current(),
    });
  };
}
