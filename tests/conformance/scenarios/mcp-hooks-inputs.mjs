import { calls, tool } from '../lib/calls.mjs';
import { on, probe, whole } from '../lib/probe.mjs';
import { mcpBox } from '../lib/mcpServer.mjs';
// every field of the hooks of an MCP tool that works, and of one that fails
export default {
  settings: (ctx) => on(Object.fromEntries(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'].map((e) => [e, probe(ctx, e, whole)]))),
  args: (ctx) => [...mcpBox(ctx), '--allowedTools', 'mcp__box__say', 'mcp__box__fail'],
  keep: { order: true, noResults: true },
  model: calls(() => tool('mcp__box__say', { word: 'hi' }), () => tool('mcp__box__fail', { word: 'hi' })),
};
