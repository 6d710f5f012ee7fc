import { calls, tool, watch } from '../lib/calls.mjs';
export default {
  settings: (ctx) => ({ hooks: { ...watch(ctx, 'SubagentStart', 'SubagentStop', 'PostToolUse'), PreToolUse: [{ matcher: 'Agent', hooks: [{ type: 'command', command: ctx.hook('gate') }] }] } }),
  replies: { gate: [{ code: 2, err: 'work alone' }] },
  model: calls(tool('Agent', { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false })),
};
