import { calls, tool, watch } from '../lib/calls.mjs';
import { mcpBox } from '../lib/mcpServer.mjs';
// an MCP tool that a rule for its whole server allows: what hooks see of a call and of one that fails
export default {
  settings: (ctx) => ({ hooks: watch(ctx, 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure') }),
  args: (ctx) => [...mcpBox(ctx), '--allowedTools', 'mcp__box'],
  model: calls(tool('mcp__box__say', { word: 'hi' }), tool('mcp__box__fail', { word: 'x' })),
};
