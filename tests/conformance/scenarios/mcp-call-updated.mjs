import { calls, tool } from '../lib/calls.mjs';
import { projectBox } from '../lib/mcpServer.mjs';
import { answer, preAnswer } from '../lib/steps.mjs';
// a hook allows an MCP call with another input, and another hook replaces its output
export default {
  settings: (ctx) => ({ ...projectBox(ctx), hooks: { PreToolUse: [{ matcher: 'mcp__box__.*', hooks: [{ type: 'command', command: ctx.hook('pre') }] }], PostToolUse: [{ matcher: 'mcp__box__say', hooks: [{ type: 'command', command: ctx.hook('post') }] }] } }),
  replies: { pre: [preAnswer('allow', 'fine', { updatedInput: { word: 'other' } })], post: [answer('PostToolUse', { updatedMCPToolOutput: [{ type: 'text', text: 'replaced' }] })] },
  model: calls(tool('mcp__box__say', { word: 'hi' })),
};
