import { calls, tool } from '../lib/calls.mjs';
import { mcpBox } from '../lib/mcpServer.mjs';
const forms = ['mcp__box', 'mcp__box__.*', 'mcp__box__say', 'mcp__.*__say', 'mcp__box__*', 'mcp__', 'mcp__.*', 'say', 'mcp__BOX__say', 'mcp__box__say|Bash'];
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: forms.map((matcher, k) => ({ matcher, hooks: [{ type: 'command', command: hook(`m${k}`) }] })) } }),
  args: (ctx) => [...mcpBox(ctx), '--allowedTools', 'mcp__box__say'],
  keep: { noResults: true },
  model: calls(() => tool('mcp__box__say', { word: 'hi' })),
};
