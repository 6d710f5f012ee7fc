import type { MatchesRule } from '../../hooks/select.ts';
import type { ToolUseContext } from '../../query/toolUseContext.ts';
import { decidePermission } from '../../session/permissions/decidePermission.ts';
import { parseToolInput } from '../../tools/parseInput.ts';
import type { Tool } from '../../tools/tool.ts';

/**
 * Does one permission rule cover one call? For a hook's `if`. Asked the way a deny rule is asked, so that every part
 * of a compound command is looked at.
 */
export function ruleMatcher(context: () => ToolUseContext): MatchesRule {
  return (rule, toolName, toolInput) => {
    const { tools, toolServices, permissions, signal } = context();
    const tool = tools.find(({ name }) => name === toolName);
    const parsed = tool && parseToolInput(tool, toolInput);
    if (!tool || parsed?.type !== 'ok') return 'unclear';
    const call = { toolUseId: '', signal, askTaskHooks: async () => null, ...toolServices };
    const { projectDir } = toolServices.directory;
    const decision = decidePermission({
      toolName,
      request: (tool as Tool).permission(parsed.input, call),
      mode: 'bypassPermissions',
      rules: { allow: [], ask: [], deny: [rule] },
      directories: [projectDir],
      projectDir,
      homeDir: permissions.homeDir,
      cwd: toolServices.directory.current(),
    });
    return decision.type === 'deny';
  };
}
